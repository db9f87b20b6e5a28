import { z } from 'zod'
import { type Answer, json } from '../answers.ts'
import { closeDispute, dispute, failRefund, type Parts, tick } from './moves.ts'
import { Troubles } from './schemas.ts'

const Clock = z.strictObject({ now: z.iso.datetime({ offset: true }).nullable() })
const Release = z.strictObject({ seed: z.int().nullable().default(null) })
const Which = z.strictObject({ intent: z.string() })
const Closed = z.strictObject({ id: z.string(), won: z.boolean() })

type Change = (parts: Parts, body: unknown) => unknown
const CHANGES: Record<string, Change> = {
  'PUT clock': ({ store }, body) => {
    const { now } = Clock.parse(body)
    store.state.ahead = now === null ? 0 : Date.parse(now) - Date.now()
  },
  'PUT troubles': ({ store }, body) => {
    store.state.troubles = Troubles.parse(body)
  },
  'PUT release': async ({ hooks }, body) => ({ sent: await hooks.release(Release.parse(body).seed) }),
  'PUT dispute': (parts, body) => {
    const { intent: id } = Which.parse(body)
    const intent = parts.store.state.intents.find((one) => one.id === id)
    if (!intent) throw new Error(`no intent ${id}`)
    return { id: dispute(parts, intent).id }
  },
  'PUT dispute-closed': (parts, body) => {
    const { id, won } = Closed.parse(body)
    const found = parts.store.state.disputes.find((one) => one.id === id)
    if (!found) throw new Error(`no dispute ${id}`)
    closeDispute(parts, found, won)
  },
  'PUT refund-failed': (parts, body) => failRefund(parts, z.strictObject({ id: z.string() }).parse(body).id),
  'DELETE state': ({ store }) => store.reset(),
}

/** What only the machine itself may ask: the clock, what goes wrong, what a bank decides. */
export async function control(parts: Parts, method: string, name: string, body: string): Promise<Answer> {
  const { store, hooks } = parts
  if (method === 'GET' && name === 'state') {
    await hooks.idle()
    const { answers: _, hooks: listeners, ...shown } = store.state
    return json({ ...shown, hooks: listeners.map(({ id, url }) => ({ id, url })), log: hooks.log })
  }
  const change = CHANGES[`${method} ${name}`]
  if (!change) return json({ message: `no ${method} ${name}` }, 404)
  try {
    const said = await change(parts, body ? JSON.parse(body) : undefined)
    tick(parts)
    store.save()
    return json(said ?? { done: true })
  } catch (error) {
    return json({ message: error instanceof z.ZodError ? z.prettifyError(error) : String(error) }, 400)
  }
}
