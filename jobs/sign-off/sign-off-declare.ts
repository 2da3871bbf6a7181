/** How `recon sign-off` is called; the work is loaded when it is. */
import type { Command } from 'commander';
import { command } from '../cli/declare.ts';
import type { SignOffOptions } from './sign-off.ts';

export function declareSignOff(): Command {
  return command(
    'sign-off',
    'signs off a day or a month that is proven: keeps a digest of its figures, breaks and files, which verify holds against what is there later',
    'recon sign-off --day 2026-03-01 --by 李娜',
  )
    .option('--day <day>', 'the day, yyyy-MM-dd')
    .option('--month <month>', 'the month, yyyy-MM')
    .option('--by <name>', 'who does it; RECON_USER when left out')
    .option('--with-open', 'sign although something stands open; --reason says why')
    .option('--reason <text>', 'why it is signed with what stands open, or why it is taken back')
    .option('--approve', 'approve what another person prepared, where RECON_PEOPLE lists people')
    .option('--withdraw', 'take the sign-off back; it stays in the audit trail')
    .option('--dry-run', 'show what would be signed and what stands open; write nothing')
    .option('--shown <digest>', 'only if it is what --dry-run showed, which prints it')
    .option('--list', 'every day and month that was ever prepared or signed off')
    .option('--show', 'all that happened to the sign-off of that day or month')
    .addHelpText(
      'after',
      '  recon sign-off --day 2026-03-01 --approve --by 王伟\n' +
        '  recon sign-off --day 2026-03-01 --approve --by 王伟 --shown 0123456789ab\n' +
        '  recon sign-off --month 2026-03 --by 李娜 --with-open --reason "3 breaks are with the platform"\n' +
        '  recon sign-off --day 2026-03-01 --withdraw --reason "restated" --by 王伟\n' +
        '  recon sign-off --list',
    )
    .action(async (options: SignOffOptions) => (await import('./sign-off.ts')).signOffCommand(options));
}
