/** Edits of what people say: in a filled-in list of breaks, and by signing. */
import type { Edit } from './edit.ts';

export const LIST_EDITS: readonly Edit[] = [
  {
    folder: 'proof',
    rule: 'a row that was added to a filled-in list is a row of it',
    file: 'jobs/breaks/import/filled-list.ts',
    find: "isNumbered || texts.slice(1).some((text) => text !== '')",
    put: "isNumbered || texts.slice(8).some((text) => text !== '')",
    tests: ['jobs/breaks/damaged-list.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'what a row asks for is so afterwards or is told, also where nothing changes',
    file: 'jobs/breaks/import/weigh-list.ts',
    find: "JUDGED: readonly Input[] = ['status', 'reason', 'action']",
    put: "JUDGED: readonly Input[] = ['reason', 'action']",
    tests: ['jobs/breaks/nothing-is-lost.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'what was proposed for another amount awaits no approval',
    file: 'jobs/breaks/say.ts',
    find: 'writeOff.class === of.class && BigInt(writeOff.differenceFen) === BigInt(of.differenceFen)',
    put: 'writeOff.class === of.class',
    tests: ['jobs/breaks/nothing-is-lost.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'what the sheet masks is kept as it was said',
    file: 'jobs/breaks/import/weigh-answer.ts',
    find: 'if (known !== undefined) return known[input];',
    put: 'if (known !== undefined) return shownText(list, known[input]);',
    tests: ['jobs/breaks/nothing-is-lost.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'a note of a cell is told, for nobody reads it',
    file: 'src/intake/xlsx-workbook.ts',
    find: "if (name === 'comment')",
    put: "if (name === 'note')",
    tests: ['jobs/breaks/beside-the-list.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'what stands open since a period was prepared is approved by nobody',
    file: 'jobs/sign-off/decide.ts',
    find: 'details.openDigest === digestOf(open)',
    put: 'open.length <= details.open',
    tests: ['jobs/sign-off/signed-periods.sql.test.ts'],
  },
  {
    folder: 'proof',
    rule: 'a last day is a day however it was typed',
    file: 'jobs/breaks/import/weigh-answer.ts',
    find: 'dayOf(written.writeOff) ?? written.writeOff',
    put: 'written.writeOff',
    tests: ['jobs/breaks/round-trip.sql.test.ts'],
  },
];
