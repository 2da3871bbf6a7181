/** How `recon call` is called. */
import type { Command } from 'commander';
import { command } from '../cli/declare.ts';
import type { CallOptions } from './call.ts';

const MORE = `
More examples:
  recon call --list
  recon call query/deposit '{"payeeAcctNo":"100001","startDate":"2026-03-01","endDate":"2026-03-31"}'
  recon call get/transFiles '{"transType":"3","outOrderNo":"T1"}' --json
  recon call division/pay @transfer.json --yes
  echo '{"outOrderNo":"W1","acctNo":"100001","amount":100}' | recon call account/withdraw - --yes
  recon call order/settle '{"outOrderNo":"T1"}' --yes

transfer.json may be as short as this; num, amount and currency are put in, and the list becomes text:
  {"outBatchNo":"B1","payerAcctNo":"100001","clientIp":"203.0.113.7",
   "orderList":[{"outOrderNo":"T1","body":"March","amount":30000,"payeeAcctNo":"100002"}]}

For the code of a refund, give the payee's account instead of reqNo, and it is looked up:
  recon call acct/sendMsg '{"sceneType":"REFUND","accountNo":"100002"}' --yes

Exit status: 0 accepted, 1 refused or unknown, 2 the call is wrong and nothing was sent`;

export function callParts(): Command {
  return command(
    'call',
    'one signed call to any of the 17 endpoints, for support; it is checked and completed before it is sent',
    `recon call acct/queryInfo '{"accountNo":"100001"}'`,
  )
    .argument('[endpoint]', 'such as acct/queryInfo')
    .argument('[json]', 'the business data: JSON, @FILE, or - for stdin', '{}')
    .option('--yes', 'really make a call that changes something')
    .option('--unchecked', 'send the data as it is, neither checked nor completed')
    .option('--approve <digest>', 'of order/settle: send it, as a call without this has named it today')
    .option('--by <name>', 'who approves; the user of this machine when left out')
    .option('--list', 'list the endpoints, what each does and what it needs; calls nothing')
    .addHelpText('after', MORE)
    .action(async (endpoint: string | undefined, json: string, options: CallOptions) =>
      (await import('./call.ts')).callCommand(endpoint, json, options),
    );
}
