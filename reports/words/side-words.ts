/** The sheets of offsetting pairs, write-offs and prior-period changes, as a type and in both languages. */
import type { PairKind } from '../read/read-pairs.ts';
import type { WriteOffState } from '../read/read-side-lists.ts';

export interface SideWords {
  noOffsets: string;
  pair: string;
  pairKinds: Record<PairKind, string>;
  /** Of the one that the platform has more of, and of the other. */
  more: (what: string) => string;
  less: (what: string) => string;
  amount: string;
  noWriteOffs: string;
  writeOffState: string;
  writeOffStates: Record<WriteOffState, string>;
  until: string;
  proposedBy: string;
  approvedBy: string;
  noChanges: string;
  period: string;
  recorded: string;
  actual: string;
  /** Actual less recorded. */
  change: string;
}

export const sideWordsZh: SideWords = {
  noOffsets: '没有金额相等、方向相反的差异。',
  pair: '对应方式',
  pairKinds: { order: '同一业务编号', account: '同一账户', amount: '不同账户' },
  more: (what) => `${what}（平台多）`,
  less: (what) => `${what}（企业账多）`,
  amount: '金额',
  noWriteOffs: '没有申请或批准的核销。',
  writeOffState: '核销状态',
  writeOffStates: {
    approved: '已复核',
    proposed: '待复核',
    renewal: '再申请待复核',
    expired: '已到期',
    lapsed: '已失效',
  },
  until: '到期日',
  proposedBy: '申请人',
  approvedBy: '复核人',
  noChanges: '前期没有变动。',
  period: '所属日期',
  recorded: '原登记',
  actual: '现为',
  change: '差额（现为 − 原登记）',
};

export const sideWordsEn: SideWords = {
  noOffsets: 'No breaks are equal and opposite.',
  pair: 'Paired by',
  pairKinds: { order: 'the same order', account: 'the same account', amount: 'two accounts' },
  more: (what) => `${what} (platform has more)`,
  less: (what) => `${what} (ledger has more)`,
  amount: 'Amount',
  noWriteOffs: 'No write-off is proposed or approved.',
  writeOffState: 'State',
  writeOffStates: {
    approved: 'approved',
    proposed: 'awaits approval',
    renewal: 'renewal awaits approval',
    expired: 'expired',
    lapsed: 'lapsed',
  },
  until: 'Until',
  proposedBy: 'Proposed by',
  approvedBy: 'Approved by',
  noChanges: 'Nothing changed in earlier periods.',
  period: 'Of',
  recorded: 'Recorded',
  actual: 'Actual',
  change: 'Difference (actual − recorded)',
};
