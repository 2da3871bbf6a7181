/** All rules by their numbers, one file a section of the interface. */
import type { Rules } from './rule.ts';
import { ACC } from './rules/acc.ts';
import { both } from './rule.ts';
import { BEFOREHAND_CHANGES } from './rules/beforehand-changes.ts';
import { BEFOREHAND } from './rules/beforehand.ts';
import { CHG_RESULTS } from './rules/chg-results.ts';
import { CHG } from './rules/chg.ts';
import { COMPLETED } from './rules/completed.ts';
import { DEP } from './rules/dep.ts';
import { DIV_ORDERS } from './rules/div-orders.ts';
import { DIV } from './rules/div.ts';
import { ENV_MEMBERS } from './rules/env-members.ts';
import { ENV_REQUESTS } from './rules/env-requests.ts';
import { ENV } from './rules/env.ts';
import { EVT } from './rules/evt.ts';
import { JOB } from './rules/job.ts';
import { LIM } from './rules/lim.ts';
import { ERR } from './rules/err.ts';
import { OPN_AUDIT } from './rules/opn-audit.ts';
import { OPN_FIELDS } from './rules/opn-fields.ts';
import { OPN } from './rules/opn.ts';
import { REF } from './rules/ref.ts';
import { SIG } from './rules/sig.ts';
import { SMS } from './rules/sms.ts';
import { STL } from './rules/stl.ts';
import { VCH } from './rules/vch.ts';
import { WDR } from './rules/wdr.ts';

/** Some numbers stand in several: what each asks is played one after the other. */
const SECTIONS: readonly Rules[] = [
  ENV,
  ENV_MEMBERS,
  ENV_REQUESTS,
  SIG,
  OPN,
  OPN_AUDIT,
  OPN_FIELDS,
  CHG,
  CHG_RESULTS,
  ACC,
  DIV,
  DIV_ORDERS,
  REF,
  WDR,
  DEP,
  VCH,
  STL,
  SMS,
  EVT,
  ERR,
  LIM,
  BEFOREHAND,
  BEFOREHAND_CHANGES,
  COMPLETED,
  JOB,
];

export const ALL_RULES: Rules = SECTIONS.flatMap((rules) => Object.entries(rules)).reduce<Rules>(
  (rules, [id, rule]) => ({ ...rules, [id]: both(rules[id] ?? {}, rule) }),
  {},
);
