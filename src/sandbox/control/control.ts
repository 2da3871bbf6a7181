/**
 * The control surface: what a test or a person does to the sandbox beside the service (CTL). It lies under a
 * prefix of its own, so that no path of the service can ever be one of these.
 */
import { WrongInput } from '../../core/errors.ts';
import { jsonText } from '../../core/json.ts';
import { CONTROL_ROUTES } from './control-routes.ts';
import type { Sandbox } from '../server/sandbox.ts';
import { JSON_TYPE } from '../protocol/exchange.ts';
import type { ControlReply, ControlRequest } from '../protocol/exchange.ts';
import { checked } from '../world/seed-schema.ts';
import type { World } from '../world/world.ts';

export const CONTROL_PREFIX = '/control';

/** Answers 200 with a document, 400 with the faults of what was given, 404 and 415. */
export function control(sandbox: Sandbox, world: World, request: ControlRequest): ControlReply {
  const path = request.path.split('?', 1)[0] ?? '';
  const route = CONTROL_ROUTES.find(
    (known) => known.method === request.method && `${CONTROL_PREFIX}${known.path}` === path,
  );
  if (!route) return reply(404, { error: `there is no ${request.method} ${path} here` });
  try {
    const given = checked(route.schema, givenOf(request), 'request');
    return reply(200, route.run({ sandbox, world }, given) ?? { done: true });
  } catch (error) {
    if (!(error instanceof WrongInput)) throw error;
    return reply(400, { error: error.message, faults: error.faults });
  }
}

/** The body of a POST, the query of a GET. A page in a browser cannot send JSON here unasked. */
function givenOf(request: ControlRequest): unknown {
  if (request.method !== 'POST') {
    return Object.fromEntries(new URLSearchParams(request.path.split('?', 2)[1] ?? ''));
  }
  if (!request.contentType.startsWith('application/json')) {
    throw new WrongInput('the control surface takes application/json');
  }
  try {
    return JSON.parse(request.body === '' ? '{}' : request.body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new WrongInput('the body is not JSON');
  }
}

function reply(status: number, document: unknown): ControlReply {
  return { status, headers: { 'content-type': JSON_TYPE }, body: jsonText(document) };
}

/** The control surface as a Markdown table, for docs/sandbox.md. */
export function controlTable(): string {
  const rows = CONTROL_ROUTES.map(
    ({ method, path, takes, does }) => `| \`${method} ${CONTROL_PREFIX}${path}\` | ${takes} | ${does} |`,
  );
  return ['| path | takes | does |', '|---|---|---|', ...rows].join('\n');
}
