/** Edits of looks that were not kept. */
import type { Edit } from './edit.ts';

const tests = ['jobs/settle/settle-unkept-looks.sql.test.ts'];

export const LOOK_EDITS: readonly Edit[] = [
  {
    folder: 'settlement',
    rule: 'an answer that cannot be taken counts where the other number is asked for then',
    file: 'jobs/night/collect/ask-order.ts',
    find: 'second.unread ?? first.unread',
    put: 'second.unread',
    tests,
  },
  {
    folder: 'settlement',
    rule: 'a batch is known by its other number whoever pays',
    file: 'src/store/orders/batch-numbers.ts',
    find: '\n    union all select p.batch_no from ${PAIRS} p where p.out_batch_no = ${number}',
    put: '',
    tests,
  },
  {
    folder: 'settlement',
    rule: 'a batch is known by the number that it was registered by',
    file: 'src/store/orders/batch-numbers.ts',
    find: "\n  union all select out_batch_no, batch_no from order_registry where kind = 'transfer' and batch_no <> ''",
    put: '',
    tests,
  },
  {
    folder: 'settlement',
    rule: 'a look under a claim that another has by now was a look',
    file: 'src/store/orders/order-claims.ts',
    find: '(d.claim_fence > k.fence or (d.claim_fence = k.fence and d.claim_until is not null))',
    put: 'd.claim_fence = k.fence and d.claim_until is not null',
    tests,
  },
  {
    folder: 'settlement',
    rule: 'a look of the retry takes over the claim of whoever asked before it',
    file: 'src/settlements/settle-looks.ts',
    find: 'if (held.length === 0) return claimed;',
    put: 'return claimed;',
    tests,
  },
  {
    folder: 'settlement',
    rule: 'who asks for a batch just now is waited for',
    file: 'jobs/night/settle/settle-look.ts',
    find: 'takesOver: waits >= WAITS_MAX',
    put: 'takesOver: true',
    tests: ['jobs/settle/settle-looks-beside.sql.test.ts'],
  },
  {
    folder: 'settlement',
    rule: 'nothing is sent while somebody else asks for it',
    file: 'src/settlements/settle-attempts.ts',
    find: 'order?.isAskedFor === true',
    put: 'order === undefined',
    tests: ['jobs/settle/settle-looks-beside.sql.test.ts'],
  },
  {
    folder: 'settlement',
    rule: 'nobody asks for what a look of the retry has taken over',
    file: 'jobs/night/collect/ask-claimed.ts',
    find: '\n        if (renewing.areLost.has(unit)) return;',
    put: '',
    tests: ['jobs/settle/settle-looks-beside.sql.test.ts'],
  },
  {
    folder: 'settlement',
    rule: 'a look of the retry that showed nothing ends its claim',
    file: 'src/settlements/settle-looks.ts',
    find: '\n        await releaseClaims(trx, claimed, null);',
    put: '',
    tests,
  },
  {
    folder: 'settlement',
    rule: 'a claim ends with its own answer alone',
    file: 'src/orders/orders-write-due.ts',
    find: 'case d.claim_fence when s.claim_fence then null else d.claim_until end',
    put: 'null',
    tests,
  },
];
