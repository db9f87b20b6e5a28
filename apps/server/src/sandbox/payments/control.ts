import { z } from 'zod'
import { type SimulatorResponse, toJsonResponse } from '../answers.ts'
import { advanceTime, closeDispute, failRefund, openDispute, type PaymentSimulatorParts } from './moves.ts'
import { PaymentTroubles } from './schemas.ts'

const Clock = z.strictObject({ now: z.iso.datetime({ offset: true }).nullable() })
const Release = z.strictObject({ seed: z.int().nullable().default(null) })
const IntentReference = z.strictObject({ intent: z.string() })
const DisputeClosing = z.strictObject({ id: z.string(), won: z.boolean() })

type PaymentStateChange = (parts: PaymentSimulatorParts, body: unknown) => unknown
const PAYMENT_STATE_CHANGES: Record<string, PaymentStateChange> = {
  'PUT clock': ({ store }, body) => {
    const { now } = Clock.parse(body)
    store.state.ahead = now === null ? 0 : Date.parse(now) - Date.now()
  },
  'PUT troubles': ({ store }, body) => {
    store.state.troubles = PaymentTroubles.parse(body)
  },
  'PUT release': async ({ hooks }, body) => ({ sent: await hooks.release(Release.parse(body).seed) }),
  'PUT dispute': (parts, body) => {
    const { intent: id } = IntentReference.parse(body)
    const intent = parts.store.state.intents.find((one) => one.id === id)
    if (!intent) throw new Error(`no intent ${id}`)
    return { id: openDispute(parts, intent).id }
  },
  'PUT dispute-closed': (parts, body) => {
    const { id, won } = DisputeClosing.parse(body)
    const found = parts.store.state.disputes.find((one) => one.id === id)
    if (!found) throw new Error(`no dispute ${id}`)
    closeDispute(parts, found, won)
  },
  'PUT refund-failed': (parts, body) => failRefund(parts, z.strictObject({ id: z.string() }).parse(body).id),
  'DELETE state': ({ store }) => store.reset(),
}

/** Calls allowed only from this machine: clock, faults, and decisions of a bank. */
export async function handlePaymentControl(
  parts: PaymentSimulatorParts,
  method: string,
  name: string,
  body: string,
): Promise<SimulatorResponse> {
  const { store, hooks } = parts
  if (method === 'GET' && name === 'state') {
    await hooks.idle()
    const { answers: _, hooks: listeners, ...shown } = store.state
    return toJsonResponse({ ...shown, hooks: listeners.map(({ id, url }) => ({ id, url })), log: hooks.log })
  }
  const change = PAYMENT_STATE_CHANGES[`${method} ${name}`]
  if (!change) return toJsonResponse({ message: `no ${method} ${name}` }, 404)
  try {
    const said = await change(parts, body ? JSON.parse(body) : undefined)
    advanceTime(parts)
    store.save()
    return toJsonResponse(said ?? { done: true })
  } catch (error) {
    return toJsonResponse({ message: error instanceof z.ZodError ? z.prettifyError(error) : String(error) }, 400)
  }
}
