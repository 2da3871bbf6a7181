/**
 * `POST /push`: takes a push of the platform as raw bytes and acknowledges it once the hint is committed (U39, I10,
 * S19). Who sends it learns nothing but whether it was taken; what it says changes no state.
 */
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { messageOf } from '../../src/core/errors.ts';
import { readPush } from '../../src/platform/push.ts';
import type { PushRules } from '../../src/platform/push.ts';
import { takePush } from '../../src/store/pushes/push-take.ts';
import type { ReceivedPush } from '../../src/store/pushes/push-take.ts';
import type { Context } from '../context/context.ts';
import type { PushGate } from '../push/push-gate.ts';
import type { PushTally } from '../push/push-tally.ts';
import type { Routes } from './status-server.ts';

/** Pushes share the connections of the night, and must leave it most of them. */
const WRITES_AT_ONCE = 2;
/** More than that wait no shorter than until the platform tries again. */
const WRITES_WAITING_MAX = 200;
const RETRY_AFTER_SECONDS = 30;

export interface PushDesk {
  gate: PushGate;
  tally: PushTally;
  /** Something new was kept. */
  nudge: () => void;
}

export function pushRoutes(context: Context, desk: PushDesk): Routes {
  const { credentials, profile } = context;
  if (credentials === undefined) throw new Error('Bug: pushes are received without credentials');
  const counter = new Counter(context, { profile, credentials }, desk);
  return (server) => {
    void server.register((scope, _options, done) => {
      // Whatever its content type says, the body is what was sent: signature and digest are of these bytes.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
      scope.setErrorHandler(async (error, _request, reply) => counter.refuse(error, reply));
      scope.post('/push', (request, reply) => counter.take(request, reply));
      done();
    });
  };
}

/** Where pushes are handed in. */
class Counter {
  readonly #context: Context;
  readonly #rules: PushRules;
  readonly #desk: PushDesk;
  readonly #inTurn = pLimit(WRITES_AT_ONCE);

  constructor(context: Context, rules: PushRules, desk: PushDesk) {
    this.#context = context;
    this.#rules = rules;
    this.#desk = desk;
  }

  async take(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { tally, gate } = this.#desk;
    if (!gate.mayEnter()) {
      tally.count('unknown', 'too_many');
      return later(reply);
    }
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    if (body.byteLength === 0) {
      tally.count('unknown', 'malformed', { bytes: 0 });
      return refused(reply, 400);
    }
    const contentType = request.headers['content-type'] ?? '';
    const hint = readPush({ body, contentType }, this.#rules);
    if (hint === 'forged') {
      tally.count('unknown', 'forged', { bytes: body.byteLength });
      return refused(reply, 400);
    }
    const sha256 = createHash('sha256').update(body).digest('hex');
    const push = { ...hint, sha256, body };
    const admission = this.#inTurn.pendingCount >= WRITES_WAITING_MAX ? 'too_many' : gate.admit(push);
    if (admission !== 'admitted') {
      tally.count(hint.kind, admission);
      return later(reply);
    }
    return this.#keep(push, reply);
  }

  /** Whatever the database says against it, the platform tries again. */
  async #keep(push: ReceivedPush, reply: FastifyReply): Promise<FastifyReply> {
    const { db, clock, profile } = this.#context;
    const { tally, gate, nudge } = this.#desk;
    try {
      const { isNew } = await this.#inTurn(() => takePush(db, push, clock.wall()));
      tally.count(push.kind, isNew ? 'taken' : 'repeated');
      gate.kept(push, { size: push.body.byteLength, isNew });
      if (isNew) {
        this.#tell(push);
        nudge();
      }
    } catch (error) {
      tally.count(push.kind, 'unstored', { reason: messageOf(error) });
      return later(reply);
    }
    return reply.code(200).type('text/plain; charset=utf-8').send(profile.notify.ackBody);
  }

  /** What nobody signed is only counted: anybody can send as much of it as comes in. */
  #tell({ kind, ownNo, platformNo, signed, sha256 }: ReceivedPush): void {
    if (!signed) {
      this.#desk.tally.keptUnsigned();
      return;
    }
    const numbers =
      kind === 'transfer'
        ? { outBatchNo: ownNo, batchNo: platformNo }
        : { outReqNo: ownNo, reqNo: platformNo };
    this.#context.log.info({ event: 'push.kept', kind, ...numbers, signed, sha256 });
  }

  /** What never became a push: too large, cut off, too slow. What is our own fault is tried again. */
  refuse(error: unknown, reply: FastifyReply): FastifyReply {
    const stated = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
    const status = typeof stated === 'number' && stated >= 400 && stated < 500 ? stated : 503;
    if (status === 503) this.#desk.tally.count('unknown', 'unstored', { error });
    else this.#desk.tally.count('unknown', 'malformed', { status });
    return status === 503 ? later(reply) : refused(reply, status);
  }
}

function refused(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).send({ error: 'refused' });
}

function later(reply: FastifyReply): FastifyReply {
  return reply.code(503).header('retry-after', RETRY_AFTER_SECONDS).send({ error: 'not now' });
}
