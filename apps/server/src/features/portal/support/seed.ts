import { DEFAULT_HOURS } from '@voisol/contract/support-agents'
import type { TicketCategory, TicketPriority, TicketState } from '@voisol/contract/support-labels'
import { eq, max } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { ticketMessages, ticketNotes, tickets } from '../../../db/schema/index.ts'
import { FINISHED_TICKET_STATES } from './agent-queries.ts'
import { NO_TICKET_SUBJECT } from './open-ticket.ts'
import { pauseTicketClock, resumeTicketClock, startTicketClock } from './support-hours.ts'

/** A question of the past, as it went. `hours` are counted from when it was asked. */
export type SeedTicket = {
  desk: 'organiser' | 'keeper'
  subject: string
  category: TicketCategory
  priority?: TicketPriority
  state: TicketState
  askedAt: Date
  said: { side: 'asker' | 'desk'; hours: number; body: string; source?: 'web' | 'mail' }[]
  about?: Partial<typeof NO_TICKET_SUBJECT>
  note?: string
  score?: number
  word?: string
}
type Person = { id: string; name: string }
type SeedTicketPeople = { companyId: number; asker: Person; agent: Person & { companyId: number } }

const HOUR_MS = 3_600_000

/** What was promised, and how much of it ran while the desk had it. */
function computeSeedClock({ askedAt, priority = 'normal', said, state }: SeedTicket) {
  let clock = { createdAt: askedAt, ...startTicketClock(askedAt, priority, DEFAULT_HOURS) }
  for (const [index, { side, hours }] of said.entries()) {
    const at = new Date(askedAt.getTime() + hours * HOUR_MS)
    const waits = side === 'desk' && (state !== 'open' || index < said.length - 1)
    clock = {
      ...clock,
      ...(waits ? pauseTicketClock(clock, at, DEFAULT_HOURS) : resumeTicketClock(clock, at, DEFAULT_HOURS)),
    }
  }
  const { createdAt: _, ...promised } = clock
  return promised
}

/** Kept as if it had happened: nobody is told of it. */
export async function seedTicket(
  tx: Db,
  { companyId, asker, agent }: SeedTicketPeople,
  story: SeedTicket,
): Promise<void> {
  const { desk, subject, category, priority = 'normal', state, askedAt, said, about, note, score, word } = story
  const [top] = await tx
    .select({ last: max(tickets.number) })
    .from(tickets)
    .where(eq(tickets.companyId, companyId))
  const atOf = (hours: number) => new Date(askedAt.getTime() + hours * HOUR_MS)
  const answers = said.filter(({ side }) => side === 'desk')
  const last = said.at(-1)
  const lastAt = atOf(last?.hours ?? 0)
  const [row] = await tx
    .insert(tickets)
    .values({
      companyId,
      number: (top?.last ?? 0) + 1,
      askerId: asker.id,
      desk,
      subject,
      category,
      priority,
      state,
      ...NO_TICKET_SUBJECT,
      ...about,
      ...computeSeedClock(story),
      assigneeId: answers.length ? agent.id : null,
      firstAnswerAt: answers[0] ? atOf(answers[0].hours) : null,
      solvedAt: FINISHED_TICKET_STATES.includes(state) ? lastAt : null,
      ...(score && { score, scoreWord: word ?? '', scoredAt: atOf((last?.hours ?? 0) + 3) }),
      lastMessageAt: lastAt,
      lastSide: last?.side ?? 'asker',
      createdAt: askedAt,
    })
    .returning()
  if (!row) throw new Error('no ticket')
  await tx.insert(ticketMessages).values(
    said.map(({ side, hours, body, source = 'web' }) => ({
      companyId,
      ticketId: row.id,
      side,
      authorId: side === 'asker' ? asker.id : agent.id,
      author: side === 'asker' ? asker.name : agent.name,
      body,
      source,
      createdAt: atOf(hours),
    })),
  )
  const place = { ticketCompanyId: companyId, ticketId: row.id, author: agent.name }
  if (note) await tx.insert(ticketNotes).values({ companyId: agent.companyId, ...place, body: note, createdAt: lastAt })
}
