/** The commands are declared here and loaded only when they are called; `jobs/recon.js` comes before. */
import { CommanderError } from 'commander';
import type { Command } from 'commander';
import { WrongInput } from '../src/core/errors.ts';
import { declareBreaks } from './breaks/breaks-declare.ts';
import { callParts } from './call/call-declare.ts';
import { EXIT, refuse, tellError } from './cli/command.ts';
import type { CommonOptions } from './cli/command.ts';
import { bare, collect, command, port } from './cli/declare.ts';
import { declareExplain } from './explain/explain-declare.ts';
import { declareAlerts } from './alerts/alerts-declare.ts';
import { declareInbox } from './inbox/inbox-declare.ts';
import { declareInit } from './init/init-declare.ts';
import { declareArchive } from './prune/archive-declare.ts';
import { declareAccounts } from './commands/accounts-declare.ts';
import { declareLedger } from './commands/ledger-declare.ts';
import { declareProbe } from './probe/probe-declare.ts';
import { declareRuns } from './runs/runs-declare.ts';
import { declareCompletion } from './completion/completion-declare.ts';
import { versionText } from './cli/version.ts';
import { declareSignOff } from './sign-off/sign-off-declare.ts';
import type { ReportOptions } from './commands/report.ts';
import { declareWorker } from './units/worker-declare.ts';
import type { SettleOptions } from './commands/settle.ts';
import type { SandboxCommandOptions } from './demo/sandbox.ts';

const FAIL_ON_BREAKS =
  'exit status 3 when a break is open, found by this run or an earlier one, or an account that is not proven shows an amount';

const WORKERS = 'leave the units of the run to recon worker, as the setting RECON_WORKERS does';

function program(): Command {
  const recon = bare(
    'recon',
    'Proves every night that the payment platform holds what the books say, to the fen.',
  )
    .version(versionText(), '--version', 'print the version')
    .addHelpText(
      'after',
      '\nExit status: 0 done, 1 failed or incomplete, 2 wrong arguments, settings or input, 3 breaks or unproven amounts (with --fail-on-breaks), 4 another run holds the lock\n\nExample:\n  recon demo',
    );
  for (const part of [
    declareInit(),
    tryingOut(),
    intake(),
    nights(),
    declareRuns(),
    declareBreaks(),
    declareExplain(),
    declareSignOff(),
    declareArchive(),
    running(),
    callParts(),
    declareCompletion(),
  ].flat()) {
    recon.addCommand(part);
  }
  return recon;
}

function tryingOut(): Command[] {
  return [
    command(
      'demo',
      'a month of seeded trade with planted breaks, then the night; needs nothing',
      'recon demo',
    )
      .option('--keep <folder>', 'where the files go', './var/demo')
      .action(async (options: CommonOptions & { keep: string }) =>
        (await import('./demo/demo.ts')).demoCommand(options),
      ),
    command('sandbox', 'the emulator of the platform', 'recon sandbox --port 8080 --scenario demo --controls')
      .option('--port <number>', 'port on the loopback address; 0 takes a free one', port, 8080)
      .option(
        '--scenario <name>',
        'what it holds at the start: demo, empty or volume (default: that of --state, else "demo")',
      )
      .option('--controls', 'offer the control surface under /control')
      .option('--state <file>', 'keep it in this file: started again, it goes on as if it had never stopped')
      .action(async (options: SandboxCommandOptions) =>
        (await import('./demo/sandbox.ts')).sandboxCommand(options),
      ),
  ];
}

function intake(): Command[] {
  const migrate = command('migrate', 'brings the database to the current schema', 'recon migrate').action(
    async (options: CommonOptions) => (await import('./commands/migrate.ts')).migrateCommand(options),
  );
  return [migrate, declareAccounts(), orders(), declareLedger(), declareInbox()];
}

function orders(): Command {
  const parent = bare('orders', 'transfers and withdrawals the company submitted; the platform lists none');
  parent.addCommand(
    command(
      'import',
      'takes in a file of submitted orders',
      'recon orders import orders.csv\n  recon orders import right.csv --replace',
    )
      .argument('<file>', 'CSV or .xlsx')
      .option('--replace', 'amounts and parties in the file take the place of other ones that are registered')
      .action(async (file: string, options: CommonOptions & { replace?: boolean }) =>
        (await import('./commands/orders.ts')).importOrdersCommand(file, options),
      ),
  );
  parent.addCommand(
    command('list', 'lists registered orders and what is known of them', 'recon orders list --open')
      .option('--open', 'only those whose end is not known or whose money is under way')
      .option('--account <number>', 'only those that pay from or to this account')
      .option('--all', 'all of them, not only the latest 200')
      .action(async (options: CommonOptions & { open?: boolean; account?: string; all?: boolean }) =>
        (await import('./commands/orders.ts')).listOrdersCommand(options),
      ),
  );
  return parent;
}

function nights(): Command[] {
  return [
    command('snapshot', 'stores the balances as they are now', 'recon snapshot').action(
      async (options: CommonOptions) => (await import('./commands/snapshot.ts')).snapshotCommand(options),
    ),
    command('nightly', 'collects, proves and publishes one day', 'recon nightly --day 2026-03-01')
      .option('--day <day>', 'the day, yyyy-MM-dd; yesterday when left out')
      .option('--fail-on-breaks', FAIL_ON_BREAKS)
      .option('--no-vouchers', 'leave the vouchers out')
      .option('--no-settle', 'retry no settlement')
      .option('--workers', WORKERS)
      .action(async (options: CommonOptions & { day?: string; failOnBreaks?: boolean }) =>
        (await import('./commands/nightly.ts')).nightlyCommand(options),
      ),
    command(
      'backfill',
      'the same for a range of days, resumable, no settlements',
      'recon backfill --from 2026-01-01 --to 2026-01-31 --account 100001',
    )
      .option('--from <day>', 'first day, yyyy-MM-dd (required)')
      .option('--to <day>', 'last day, yyyy-MM-dd (required)')
      .option('--account <number>', 'only this account; may be given several times', collect)
      .option('--fail-on-breaks', FAIL_ON_BREAKS)
      .option('--no-vouchers', 'leave the vouchers out')
      .option('--workers', WORKERS)
      .action(
        async (
          options: CommonOptions & { from?: string; to?: string; account?: string[]; failOnBreaks?: boolean },
        ) => (await import('./commands/backfill.ts')).backfillCommand(options),
      ),
    command('settle', 'retries failed settlements; step 3 of the night alone', 'recon settle --dry-run')
      .option('--dry-run', 'print the plan, with the payees as they are now; send and store nothing')
      .option(
        '--approve <digest>',
        'carry out the plan of that digest, however large it is; or, with the digest of an attempt AWAITING A PERSON, end it as certainly not paid. As shown today',
      )
      .option(
        '--not-refunded <request>',
        'a refund by hand that no query shows was not taken of --order of --payer, as the platform told you: it is retried again. Moves no money',
      )
      .option('--order <number>', 'the order that --not-refunded speaks of')
      .option('--payer <account>', 'its payer')
      .option('--by <name>', 'who approves or says so; the user of this machine when left out')
      .addHelpText(
        'after',
        '  recon settle --approve 0123456789abcdef --by "Li Na"\n' +
          '  recon settle --not-refunded R20260310 --payer 100001 --order T17 --by "Li Na"',
      )
      .action(async (options: SettleOptions) =>
        (await import('./commands/settle.ts')).settleCommand(options),
      ),
    report(),
  ];
}

function report(): Command {
  return command('report', 'writes the workbook of a run or of a month again', 'recon report --month 2026-03')
    .option('--run <id>', 'the run')
    .option('--day <day>', 'the standing nightly run of that day')
    .option('--month <month>', 'the roll-up of that month, which is over, from its nights')
    .option('--all-statements', 'a reconciliation statement of every account, also of the reconciled ones')
    .action(async (options: ReportOptions) => (await import('./commands/report.ts')).reportCommand(options));
}

function running(): Command[] {
  return [
    command(
      'schedule',
      'stays running: the nights, the midnight snapshots, the platform’s pushes, health and metrics',
      'recon schedule',
    ).action(async (options: CommonOptions) =>
      (await import('./daemon/schedule.ts')).scheduleCommand(options),
    ),
    command(
      'receive',
      'stays running: takes the platform’s pushes and asks for the batches they name; the schedule does it too',
      'recon receive --port 9091',
    )
      .option('--port <number>', 'port for pushes; PUSH_PORT, else 9091, when left out', port)
      .action(async (options: CommonOptions & { port?: number }) =>
        (await import('./daemon/receive.ts')).receiveCommand(options),
      ),
    declareWorker(),
    declareAlerts(),
    pushes(),
    declareProbe(),
    command(
      'calibrate',
      'which fee and in-flight keys of the profile would explain what the proofs could not; changes nothing',
      'recon calibrate --json',
    ).action(async (options: CommonOptions) =>
      (await import('./commands/calibrate.ts')).calibrateCommand(options),
    ),
    command('doctor', 'checks settings, database, clock, credentials and disk', 'recon doctor').action(
      async (options: CommonOptions) => (await import('./doctor/doctor.ts')).doctorCommand(options),
    ),
    command('config', 'the settings and the profile in force and where each came from', 'recon config')
      .option('--profile', 'every key of the profile too')
      .action(async (options: CommonOptions & { profile?: boolean }) =>
        (await import('./commands/config.ts')).configCommand(options),
      ),
  ];
}

function pushes(): Command {
  return bare('pushes', 'what the platform pushed; hints, nothing is believed of them').addCommand(
    command('list', 'lists the latest pushes and what came of them', 'recon pushes list --unregistered')
      .option('--unregistered', 'only those about batches that nobody registered')
      .option('--all', 'the latest 1,000, not only the latest 200')
      .action(async (options: CommonOptions & { unregistered?: boolean; all?: boolean }) =>
        (await import('./commands/pushes.ts')).listPushesCommand(options),
      ),
  );
}

/** Last resort: what nobody caught is told once, and the process ends (S20). */
function endOn(error: unknown): void {
  tellError(error, true);
  process.exit(EXIT.failed);
}

/** A call that is no call: which word of it is wrong, and where to read what there is. */
async function refuseCall(error: CommanderError): Promise<void> {
  const isJson = process.argv.includes('--json');
  const isMissing = error.code === 'commander.help';
  const what = isMissing
    ? 'a command is missing'
    : error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  await refuse({ json: isJson }, new WrongInput(`${what} (--help shows what there is)`));
}

/** Resolves when what was said has left, or cannot leave any more. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

process.on('uncaughtException', endOn);
// A reader that went away costs the text and nothing else; who must know asks at the write (H17).
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
try {
  await program().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode === 0) process.exitCode = EXIT.done;
  else await refuseCall(error);
}
// All is done and closed. A timer that the embedded database may leave behind must not keep the process.
for (const stream of [process.stdout, process.stderr]) await written(stream);
process.exit();
