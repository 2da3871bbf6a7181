/**
 * What sees every input of a sandbox and what came of it, so that it can be played again: given its seed, its
 * scenario and its settings, a sandbox is what its inputs and its clock have made of it.
 */
import type { ControlReply, ControlRequest, SandboxReply, SandboxRequest } from '../protocol/exchange.ts';
import type { TriedPush } from '../world/pushes.ts';
import type { ScenarioChoice } from '../scenarios/scenario.ts';
import type { World } from '../world/world.ts';

/** All but pushes happens while the world's clock is held. */
export interface Recorder {
  /** A world has been built, the first or that of a reset. */
  begun(world: World, scenario: ScenarioChoice): void;
  answer(world: World, request: SandboxRequest, carryOut: () => SandboxReply): SandboxReply;
  control(world: World, request: ControlRequest, carryOut: () => ControlReply): ControlReply;
  pushTried(world: World, tried: TriedPush): void;
  /** The RSA keys have been asked for, perhaps for the first time. */
  keysMade(world: World): void;
}
