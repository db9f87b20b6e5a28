import { randomUUID } from 'node:crypto'
import { auth } from '@voisol/contract/auth'
import { curves } from '@voisol/contract/curves'
import { effects } from '@voisol/contract/effects'
import { energy } from '@voisol/contract/energy'
import { dataExports } from '@voisol/contract/exports'
import { invoices } from '@voisol/contract/invoices'
import { notifications } from '@voisol/contract/notifications'
import { operations } from '@voisol/contract/operations'
import { participants } from '@voisol/contract/participants'
import { points } from '@voisol/contract/points'
import { search } from '@voisol/contract/search'
import { support } from '@voisol/contract/support'
import { addDays, dayStart } from '@voisol/energy/calendar'
import { DEMO_PASSWORD } from '@voisol/simulator/demo/people'

const MINUTES_OF_STEP = 30
type Send = { method?: string; headers?: Record<string, string>; body?: unknown; raw?: string; noted?: boolean }

/** What was answered with success, kept outside the database. */
export const createLedger = () => ({
  writes: new Set<string>(),
  subjects: new Set<string>(),
  refused: new Map<number, number>(),
  /** Milliseconds of each call. */
  times: [] as number[],
})
export type Ledger = ReturnType<typeof createLedger>

/** Somebody with a session: each call is counted and timed, and each write written down. */
export function createSender(base: string, ledger: Ledger, session = { token: '' }) {
  const send = async (path: string, { method = 'GET', headers = {}, body, raw, noted }: Send = {}) => {
    const from = performance.now()
    const answer = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${session.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
      signal: AbortSignal.timeout(60_000),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    ledger.times.push(performance.now() - from)
    if (!answer.ok) ledger.refused.set(answer.status, (ledger.refused.get(answer.status) ?? 0) + 1)
    else if (noted) ledger.writes.add(String(answer.headers.get('x-request-id')))
    // biome-ignore lint/suspicious/noExplicitAny: a measure reads what the server really sent
    const json = (): any => JSON.parse(bytes.toString())
    return { ok: answer.ok, status: answer.status, bytes, json }
  }
  return send
}

const SIGN_IN_AGAIN_MS = 20 * 60_000

/** One person of the demo at work. */
export async function createPerson(base: string, email: string, ledger: Ledger) {
  const session = { token: '' }
  const send = createSender(base, ledger, session)
  const signIn = async () => {
    const answer = await send(auth.login.path, { method: 'POST', body: { email, password: DEMO_PASSWORD } })
    if (!answer.ok) throw new Error(`${email}: ${answer.status} ${answer.bytes}`)
    session.token = answer.json().token
  }
  await signIn()
  // A token ends an hour after its sign-in; one that cannot be had for now is asked for again next time.
  const replacement = setInterval(() => void signIn().catch(() => undefined), SIGN_IN_AGAIN_MS).unref()
  return {
    send,
    leave: () => {
      clearInterval(replacement)
      return send(auth.logout.path, { method: 'POST' })
    },
  }
}
export type Person = Awaited<ReturnType<typeof createPerson>>

const query = (path: string, values: Record<string, string>) => `${path}?${new URLSearchParams(values)}`
const at = (path: string, values: Record<string, string>) =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')

/** What is read again and again, each a path. */
export async function readings({ send }: Pick<Person, 'send'>, month: { from: string; to: string }): Promise<string[]> {
  const first = async (path: string) => (await send(query(path, { size: '5' }))).json().items ?? []
  const [operation] = await first(operations.list.path)
  const documents: { id: string }[] = await first(invoices.list.path)
  const operationId = String(operation.id)
  return [
    auth.me.path,
    query(energy.operations.path, month),
    energy.attention.path,
    query(energy.summary.path, month),
    operations.list.path,
    participants.list.path,
    points.list.path,
    invoices.list.path,
    notifications.unreadCount.path,
    query(energy.members.path, month),
    query(curves.matrix.path, { ...month, operationId }),
    query(search.find.path, { q: 'martin' }),
    query(energy.series.path, { ...month, operationId, granularity: '15min' }),
    query(energy.series.path, { ...month, granularity: 'day' }),
    query(participants.export.path, { format: 'xlsx' }),
    ...documents.map(({ id }) => at(invoices.pdf.path, { id })),
  ]
}

/** A day of a point, each time with other values. */
function curveFile(prm: string, day: string, turn: number): string {
  const lines = [`Début;${prm} (W)`]
  for (let minute = dayStart(day); minute < dayStart(addDays(day, 1)); minute += MINUTES_OF_STEP)
    lines.push(`${new Date(minute * 60_000).toISOString()};${(minute + turn * 7) % 3000}`)
  return `${lines.join('\n')}\n`
}

/** A file is sent, read by a job, and recorded by another. */
export async function importCurve({ send }: Person, prm: string, day: string, turn: number): Promise<void> {
  const raw = curveFile(prm, day, turn)
  const headers = { 'content-type': 'application/octet-stream' }
  const sent = await send(query(curves.upload.path, { name: `${turn}.csv` }), {
    method: 'POST',
    headers,
    raw,
    noted: true,
  })
  const id = sent.ok ? String(sent.json().id) : ''
  for (let tries = 0; id && tries < 60; tries++) {
    const { status } = (await send(at(curves.getImport.path, { id }))).json()
    if (status === 'ready') {
      const body = { overwrite: true }
      // Days of a month that was computed: what the change does to it is looked at before it is confirmed.
      const seen = await send(effects.preview.path, { method: 'POST', body: { kind: 'import', id, body } })
      const shown = seen.ok ? seen.json().shown : null
      const kept = await send(at(curves.commit.path, { id }), {
        method: 'POST',
        body: { ...body, ...(shown && { shown }) },
        noted: true,
      })
      if (!kept.ok) return
    } else if (!['reading', 'storing'].includes(status)) return
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Asked for, made by a job, and fetched. */
export async function exportReadings({ send }: Person, month: { from: string; to: string }): Promise<void> {
  const body = { dataSet: 'readings', ...month, format: 'parquet' }
  const asked = await send(dataExports.create.path, { method: 'POST', body, noted: true })
  const id = asked.ok ? String(asked.json().id) : ''
  for (let tries = 0; id && tries < 120; tries++) {
    const { state } = (await send(at(dataExports.get.path, { id }))).json()
    if (state === 'done') return void (await send(at(dataExports.file.path, { id })))
    if (!['waiting', 'running'].includes(state)) return
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

export const prefer = ({ send }: Person, turn: number) =>
  send(notifications.savePreferences.path, {
    method: 'PUT',
    noted: true,
    body: { items: [{ category: 'account', channel: 'mail', enabled: turn % 2 === 0 }] },
  })

/** A question, and now and then the same one again because its answer seemed lost. */
export async function askSupport({ send }: Person, ledger: Ledger, turn: number): Promise<void> {
  const subject = `Question ${randomUUID()}`
  const body = { subject, category: 'other', body: 'Bonjour, une question.', about: null, fileIds: [] }
  const headers = { 'idempotency-key': subject.replaceAll(' ', '-') }
  const once = (noted: boolean) => send(support.create.path, { method: 'POST', headers, body, noted })
  const first = await once(true)
  if (first.ok) ledger.subjects.add(subject)
  if (turn % 5 === 0) await once(false)
}
