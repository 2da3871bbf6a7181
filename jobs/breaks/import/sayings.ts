/** What a row says, in the words of the commands: the same sayings, in the order in which a person would say them. */
import { WrongInput, messageOf } from '../../../src/core/errors.ts';
import type { Settings } from '../../../src/core/config/config.ts';
import { parseDay } from '../../../src/core/time.ts';
import type { Day } from '../../../src/core/time.ts';
import type { WorkAction, WorkStatus } from '../../../src/store/schema/schema.ts';
import type { WorkedBreak } from '../../../src/store/runs/breaks.ts';
import { STATUSES_SAID } from '../../../reports/sheets/breaks.ts';
import type { Words } from '../../../reports/words/words.ts';
import { parseText } from '../saying-options.ts';
import type { Saying } from '../say.ts';
import { ownerOf } from '../who.ts';
import type { CellFaults } from './cell-faults.ts';
import type { Input } from './input-cells.ts';
import type { Asked } from './weigh-answer.ts';

export interface Speech {
  words: Words;
  settings: Pick<Settings, 'people'>;
  today: Day;
  /** Until when write-offs are proposed beside which no day stands. */
  expires: Day | undefined;
  faults: CellFaults;
}

/** Of one row; empty where a cell of it is at fault. */
export function sayingsOf(asked: Asked, found: WorkedBreak, speech: Speech): Saying[] {
  const teller = new RowSpeaker(asked, found, speech);
  return [...teller.owner(), ...teller.judgement(), ...teller.action(), ...teller.remark()];
}

class RowSpeaker {
  readonly #asked: Asked;
  readonly #found: WorkedBreak;
  readonly #speech: Speech;

  constructor(asked: Asked, found: WorkedBreak, speech: Speech) {
    this.#asked = asked;
    this.#found = found;
    this.#speech = speech;
  }

  /** Who has it; whoever is in progress with it has a name. */
  owner(): Saying[] {
    const { file } = this.#asked;
    const isToBeAssigned = this.#takes('status') && this.#statusOf() === 'assigned';
    if (!this.#takes('owner') && !isToBeAssigned) return [];
    const to = this.#takes('owner') ? file.owner : (this.#found.work?.owner ?? '');
    if (to === '')
      return this.#fault(
        'owner',
        isToBeAssigned
          ? 'needs the name of who works on it'
          : 'a break that has an owner keeps one: write another name',
      );
    return this.#parsed('owner', () => [
      { kind: 'assign', to: ownerOf(this.#speech.settings, to, 'the owner') },
    ]);
  }

  judgement(): Saying[] {
    const status = this.#statusOf();
    if (this.#takes('status')) {
      if (status === undefined)
        return this.#fault('status', `is no status: choose ${this.#choices().join(', ')}`);
      if (status === 'written_off' || status === 'expired')
        return this.#fault(
          'status',
          `is never taken from a file: choose "${this.#word.proposeWriteOff}" in "${this.#word.action}"; another person approves it with recon breaks approve`,
        );
      if (status === 'open')
        return this.#fault(
          'status',
          'nothing that was said is taken back by a file: leave what stood there, or say what is so',
        );
    }
    if (this.#isReasoned()) return this.#reasoned(status === 'explained' ? 'explain' : 'resolve');
    if (!this.#takes('reason') || this.#proposes()) return [];
    return this.#fault(
      'reason',
      `stands beside "${this.#word.statuses.explained}", "${this.#word.statuses.resolved}" or "${this.#word.proposeWriteOff}": choose one of them, or write a remark`,
    );
  }

  action(): Saying[] {
    if (this.#proposes()) return this.#writeOff();
    if (this.#takes('writeOff'))
      return this.#fault(
        'writeOff',
        `a day stands here beside "${this.#word.proposeWriteOff}" only: choose it, or put back what stood there`,
      );
    if (!this.#takes('action')) return [];
    if (this.#found.is_proposed && !this.#isReasoned()) return this.#fault('action', this.#notTakenBack());
    const text = this.#asked.file.action;
    const actions = Object.entries(this.#word.actions) as [WorkAction, string][];
    const action = actions.find(([, word]) => word === text)?.[0];
    if (action === undefined && text !== '')
      return this.#fault(
        'action',
        `is no action: choose ${[...actions.map(([, word]) => word), this.#word.proposeWriteOff].join(', ')}`,
      );
    return [{ kind: 'action', action }];
  }

  remark(): Saying[] {
    if (!this.#takes('remark')) return [];
    return this.#parsed('remark', () => [{ kind: 'note', text: parseText('it', this.#asked.file.remark) }]);
  }

  #writeOff(): Saying[] {
    const { file, before } = this.#asked;
    if (file.reason === '') return this.#fault('reason', 'a write-off needs a reason: write it here');
    if (this.#takes('writeOff') && file.writeOff === '' && this.#found.is_proposed)
      return this.#fault('writeOff', this.#notTakenBack());
    const isNewDay = file.writeOff !== '' && file.writeOff !== before.writeOff;
    const expires = isNewDay ? parseDay(file.writeOff) : (this.#proposedUntil() ?? this.#speech.expires);
    if (expires === undefined)
      return this.#fault(
        'writeOff',
        isNewDay
          ? 'is no day: write until when the write-off is in force, yyyy-MM-dd'
          : 'a write-off needs its last day: write it here as yyyy-MM-dd, or give --expires',
      );
    if (expires < this.#speech.today)
      return this.#fault('writeOff', `is over already (today is ${this.#speech.today}): write a later day`);
    return this.#parsed('reason', () => [
      { kind: 'write-off', reason: parseText('it', file.reason), expires },
    ]);
  }

  /** Only what is said in its place takes a proposal back. */
  #notTakenBack(): string {
    const { explained, resolved } = this.#word.statuses;
    return `a write-off that was proposed is not taken back so: choose "${explained}" or "${resolved}" with its reason in its place, or put back what stood there`;
  }

  #proposedUntil(): Day | undefined {
    return this.#found.is_proposed ? this.#found.work?.writeOff?.expires : undefined;
  }

  /** Who gets something that is resolved is to work on it again, unless the row says that it is resolved. */
  #isReasoned(): boolean {
    const status = this.#statusOf();
    const isSaid =
      this.#takes('status') || this.#takes('reason') || (this.#takes('owner') && status === 'resolved');
    return isSaid && (status === 'explained' || status === 'resolved');
  }

  #reasoned(kind: 'explain' | 'resolve'): Saying[] {
    const { reason } = this.#asked.file;
    if (reason === '')
      return this.#fault('reason', `"${this.#asked.file.status}" needs a reason: write it here`);
    return this.#parsed('reason', () => [{ kind, reason: parseText('it', reason) }]);
  }

  /** Whether a write-off is to be proposed, or proposed otherwise than it is. */
  #proposes(): boolean {
    const isAsked = (['action', 'reason', 'writeOff', 'status'] as const).some((input) => this.#takes(input));
    return isAsked && this.#asked.file.action === this.#word.proposeWriteOff;
  }

  #statusOf(): WorkStatus | undefined {
    const named = Object.entries(this.#word.statuses) as [WorkStatus, string][];
    return named.find(([, word]) => word === this.#asked.file.status)?.[0];
  }

  #choices(): string[] {
    return STATUSES_SAID.map((status) => this.#word.statuses[status]);
  }

  get #word(): Words['breaks'] {
    return this.#speech.words.breaks;
  }

  #takes(input: Input): boolean {
    return this.#asked.taken.has(input);
  }

  #parsed(input: Input, parse: () => Saying[]): Saying[] {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof WrongInput)) throw error;
      return this.#fault(input, messageOf(error));
    }
  }

  #fault(input: Input, reason: string): Saying[] {
    const { places, file } = this.#asked;
    this.#speech.faults.add(places[input], file[input], reason);
    return [];
  }
}
