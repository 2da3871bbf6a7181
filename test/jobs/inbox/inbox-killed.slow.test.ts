/** Kill -9 while an inbox is taken in: what was delivered is in the books once and put away once, whenever it hits. */
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { serverUrl, testDatabase } from '../../helpers/database.ts';
import { ended, lineWith, runCli, startCli, temporaryFolder } from '../../helpers/cli.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { quietLog } from '../../helpers/log.ts';

const FILES = 24;
const KILLS = 6;
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

async function deliver(inbox: string, name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(inbox, name)), { recursive: true });
  await writeFile(path.join(inbox, name), text);
  await utimes(path.join(inbox, name), LONG_AGO, LONG_AGO);
}

test('each file is taken in once and nothing is lost, whenever the process is killed', async () => {
  const folder = await temporaryFolder();
  const server = serverUrl === undefined ? undefined : await testDatabase();
  const inbox = path.join(folder.path, 'inbox');
  const home = path.join(folder.path, 'home');
  const env = {
    RECON_HOME: home,
    INTAKE_INBOX: inbox,
    ...(server?.url !== undefined && { DATABASE_URL: server.url }),
  };
  try {
    await deliver(inbox, 'accounts/list.csv', 'account_no\n100001\n');
    for (let n = 0; n < FILES; n++) {
      const day = `2026-02-${String(n + 1).padStart(2, '0')}`;
      const rows = Array.from(
        { length: 50 },
        (_, row) => `E${n}-${row},100001,deposit,${row + 1},${day} 09:00:00`,
      );
      const text = `entry_id,account_no,kind,amount_fen,booked_at\n${rows.join('\n')}\n`;
      await deliver(inbox, `ledger/erp/${day}.csv`, text);
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const child = startCli(['inbox'], { env });
      const end = ended(child);
      await lineWith(child, kill % 2 === 0 ? 'file.imported' : 'inbox.done');
      child.kill('SIGKILL');
      expect((await end).signal).toBe('SIGKILL');
    }
    const { status, stderr } = await runCli(['inbox'], { env });
    expect([status, stderr.includes('inbox.failed')]).toEqual([0, false]);
    const opened = await openDatabase(
      server?.url === undefined ? { folder: path.join(home, 'db') } : { url: server.url },
      quietLog,
    );
    try {
      const entries = await opened.db.selectFrom('ledger_entry').select(['entry_id', 'version']).execute();
      expect(entries.filter(({ version }) => version !== 1)).toEqual([]);
      expect(entries).toHaveLength(FILES * 50);
      expect(await opened.db.selectFrom('inbox_file').selectAll().execute()).toEqual([]);
    } finally {
      await opened.close();
    }
    const lying = (await readdir(inbox, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const names = lying.map((entry) => path.relative(inbox, path.join(entry.parentPath, entry.name)));
    expect(
      names.filter((name) => !/^done\/\d{4}-\d\d-\d\d\/(?:accounts|ledger\/erp)\/[^/]+$/.test(name)),
    ).toEqual([]);
    expect(new Set(names.map((name) => path.basename(name))).size).toBe(FILES + 1);
    expect(names).toHaveLength(FILES + 1);
  } finally {
    await server?.close();
    await folder.remove();
  }
});
