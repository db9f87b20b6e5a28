import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PersistentState } from '../store.ts'
import { toEventObject } from './objects.ts'
import type { HookDelivery, PaymentSimulatorState, SimulatedHook } from './schemas.ts'

/** Seconds before each retry. */
const RETRY_DELAYS_SECONDS = [1, 2, 5, 15, 60]
const TIMEOUT_MS = 10_000
const MAX_EVENTS = 20_000

export const generateObjectId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`
export const getSimulatorSeconds = ({ state }: PersistentState<PaymentSimulatorState>) =>
  Math.floor((Date.now() + state.ahead) / 1000)

/** Signed with the machine's clock, since receivers check the time with theirs, not the simulator's. */
function signBody(body: string, secret: string): string {
  const at = Math.floor(Date.now() / 1000)
  const proof = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return `t=${at},v1=${proof}`
}

/** A seeded generator: the same seed gives the same order. */
function createGenerator(seed: number) {
  let at = seed >>> 0
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0
    return at / 2 ** 32
  }
}
export function shuffle<T>(list: readonly T[], seed: number): T[] {
  const next = createGenerator(seed)
  return list
    .map((one) => ({ one, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

async function postToHook(hook: SimulatedHook, body: string, forged: boolean): Promise<number> {
  const secret = forged ? generateObjectId('whsec') : hook.secret
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signBody(body, secret) }
  const answer = await fetch(hook.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
  await answer.body?.cancel()
  return answer.status
}

export type WebhookSender = ReturnType<typeof createWebhookSender>

/**
 * Sends events to registered webhooks: one after the other, retried without an answer, with the faults that were set.
 */
export function createWebhookSender(store: PersistentState<PaymentSimulatorState>) {
  const log: { event: string; type: string; status: number; forged: boolean }[] = []
  let chain: Promise<void> = Promise.resolve()
  const stop = new AbortController()

  async function deliver(delivery: HookDelivery): Promise<void> {
    const hook = store.state.hooks.find(({ id }) => id === delivery.hook)
    const event = store.state.events.find(({ id }) => id === delivery.event)
    if (!hook || !event || stop.signal.aborted) return
    const status = await postToHook(hook, JSON.stringify(toEventObject(event)), delivery.forged).catch(() => 0)
    log.push({ event: event.id, type: event.type, status, forged: delivery.forged })
    const pause = RETRY_DELAYS_SECONDS[delivery.tries]
    if (delivery.forged || (status >= 200 && status < 300) || pause === undefined) return
    void sleep(pause * 1000, undefined, { ref: false, signal: stop.signal })
      .then(() => send([{ ...delivery, tries: delivery.tries + 1 }]))
      .catch(() => {})
  }
  function send(list: HookDelivery[]) {
    for (const delivery of list) chain = chain.then(() => deliver(delivery))
  }
  return {
    log,
    tell(account: string, type: string, object: Record<string, unknown>) {
      const { state } = store
      const event = { id: generateObjectId('evt'), account, type, created: getSimulatorSeconds(store), object }
      state.events = [...state.events, event].slice(-MAX_EVENTS)
      const wanted = state.hooks.filter((hook) => hook.account === account && hook.types.includes(type))
      const { hold, twice, forged } = state.troubles
      const list = wanted.flatMap(({ id }) => {
        const one: HookDelivery = { hook: id, event: event.id, forged: false, tries: 0 }
        return [one, ...(twice ? [one] : []), ...(forged ? [{ ...one, forged: true }] : [])]
      })
      if (hold) state.waiting = [...state.waiting, ...list]
      else send(list)
    },
    /** Sends held messages in the order given by this seed, and resolves once all were sent. */
    async release(seed: number | null) {
      const { waiting } = store.state
      store.state.waiting = []
      send(seed === null ? waiting : shuffle(waiting, seed))
      await chain
      return waiting.length
    },
    idle: () => chain,
    close: () => stop.abort(),
  }
}
