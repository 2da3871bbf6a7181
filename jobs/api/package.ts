/** What a program that imports `recon` may rely on (docs/building-upon.md); all else is of the inside. */
export { openRecon } from './open-recon.ts';
export type {
  BackfillCall,
  BreaksCall,
  Done,
  ExplainCall,
  LedgerCall,
  NightlyCall,
  OrdersCall,
  ProgressEvent,
  Recon,
  ReconOptions,
  ReportCall,
  RunsCall,
  SettleCall,
} from './open-recon.ts';
export { startSandbox } from '../demo/start-sandbox.ts';
export type { SandboxOfTest, SandboxStart } from '../demo/start-sandbox.ts';
export {
  LockHeld,
  NotSent,
  NotThePlatform,
  OutcomeUnknown,
  Stopped,
  WrongInput,
} from '../../src/core/errors.ts';
