import { PORTAL_BLOCKS } from '@voisol/contract/access'
import { eq } from 'drizzle-orm'
import {
  applications,
  cannedReplies,
  messageRecipients,
  messages,
  messageTemplates,
  portalHolders,
  portalViews,
  sessions,
  subscriptionAddOns,
  subscriptionInvoices,
  subscriptions,
  ticketFiles,
  ticketMessages,
  tickets,
} from '../src/db/schema/index.ts'
import type { Owner, ParamsMaker } from './access-makers.ts'
import type { TestServer } from './client.ts'
import { UNKNOWN_ID } from './factories.ts'
import { makeParticipant } from './factories-energy.ts'

type RelationshipMakerTools = Parameters<typeof supportMakers>[0] & Parameters<typeof joiningMakers>[0]

/** Portal, support and subscription objects. */
export const relationshipMakers = (help: RelationshipMakerTools): [RegExp, ParamsMaker][] => [
  ...brandMakers(),
  ...subscriptionMakers(help.secret),
  ...portalMakers(help.secret),
  ...supportMakers(help),
  ...joiningMakers(help),
]

/** Bodies for the appearance of a company. */
export const BRAND_BODIES = {
  'POST /api/companies/:companyId/white-label/invoice': { primaryColor: '#FF0000' },
  'POST /api/companies/:companyId/white-label/mail': { primaryColor: '#FF0000' },
}
export const BRAND_QUERIES = {
  'POST /api/companies/:companyId/brand-pictures': { kind: 'logo' },
  'GET /api/mails/sample': { kind: 'reset' },
  'GET /api/domain-ask': { domain: 'inconnu.exemple.fr' },
}

const brandMakers = (): [RegExp, ParamsMaker][] => [
  [
    /^\/api\/companies\/:companyId\/brand-pictures\/:file/,
    (_, { companyId }) => ({ companyId, file: `${UNKNOWN_ID}.png` }),
  ],
]

type JoiningMakerTools = { operationOf: (server: TestServer, owner: Owner) => Promise<string>; secret: string }

const HASH = 'a'.repeat(64)
const DEPARTURE_QUERY = { kind: 'leave', on: '2027-03-01' }
export const JOINING_BODIES = {
  'PUT /api/acc-operations/:id/joining': {
    slug: 'prise',
    isOpen: true,
    presentation: 'Prise',
    conditions: '',
    agreement: 'Prise',
    noticeDays: 30,
    version: 0,
  },
  'POST /api/applications/:id/accept': { on: '2027-03-01', version: 1 },
  'POST /api/applications/:id/refuse': { reason: 'Une raison assez longue.', version: 1 },
  'POST /api/participations/:id/departure': { ...DEPARTURE_QUERY, name: 'Prise', hash: HASH },
  'POST /api/applications/:id/withdrawal': { version: 1 },
}
export const JOINING_QUERIES = {
  'GET /api/participations/:id/departure': DEPARTURE_QUERY,
}

/** An application to join, or to leave by the participant. */
function joiningMakers({ operationOf, secret }: JoiningMakerTools): [RegExp, ParamsMaker][] {
  const makeApplication: ParamsMaker = async (server, owner) => {
    const operationId = await operationOf(server, owner)
    const { companyId, id: userId } = owner
    const who = { name: secret, email: 'prise@exemple.fr', prm: '19000000000001', kind: 'leave', state: 'waiting' }
    const [row] = await server.db
      .insert(applications)
      .values({ companyId, operationId, userId, ...who })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/applications\/:id/, makeApplication],
    [/^\/api\/join\/:slug/, () => ({ slug: 'prise' })],
  ]
}

export const PORTAL_BODIES = {
  'PUT /api/portal/settings': {
    blocks: PORTAL_BLOCKS.map((key) => ({ key, shown: true })),
    comparison: true,
    welcome: '',
    version: 0,
  },
  'POST /api/portal/reminders': {},
  'POST /api/portal/letters': {},
  'POST /api/portal/activation': { code: '2222-2222-2222-2222', email: 'prise@exemple.fr' },
}

export const MESSAGE_BODIES = {
  'POST /api/messages/preview': { subject: 'Prise', body: 'Prise', to: { kind: 'group', tag: 'prise' } },
  'POST /api/messages': { subject: 'Prise', body: 'Prise', to: { kind: 'group', tag: 'prise' }, sendAt: null },
  'POST /api/messages/:id/cancel': { version: 1 },
  'POST /api/message-templates': { name: 'Prise', subject: 'Prise', body: 'Prise' },
  'POST /api/own/messages/:id/answer': { body: 'Merci.' },
}

/** Participants and impersonated portals. */
function portalMakers(secret: string): [RegExp, ParamsMaker][] {
  const holder: ParamsMaker = async ({ db }, { companyId, id: userId }) => {
    const { id } = await makeParticipant(db, { companyId, name: secret })
    await db.insert(portalHolders).values({ companyId, participantId: id, userId })
    return { id, userId }
  }
  const person: ParamsMaker = async ({ db }, { companyId, id: userId }) => ({
    id: (await makeParticipant(db, { companyId, name: secret, userId })).id,
  })
  const view: ParamsMaker = async (server, owner) => {
    const { companyId, id: viewerId } = owner
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, viewerId))
    const { id: participantId } = await person(server, owner)
    const about = { companyId, participantId: String(participantId), viewerId, sessionId: session?.id ?? '' }
    const [row] = await server.db
      .insert(portalViews)
      .values({ ...about, expiresAt: new Date(Date.now() + 60_000) })
      .returning()
    return { id: row?.id }
  }
  const message: ParamsMaker = async (server, owner) => {
    const { companyId, id: authorId } = owner
    const { id: participantId } = await person(server, owner)
    const words = { subject: secret, body: secret }
    const place = { audience: 'person' as const, participantId: String(participantId) }
    const sent = { state: 'sent' as const, sendAt: new Date(), sentAt: new Date() }
    const [row] = await server.db
      .insert(messages)
      .values({ companyId, ...words, ...place, ...sent, authorId, author: secret })
      .returning()
    const own = { companyId, messageId: row?.id ?? '', participantId: String(participantId) }
    await server.db.insert(messageRecipients).values({ ...own, ...words, state: 'portal' })
    return { id: row?.id }
  }
  const template: ParamsMaker = async ({ db }, { companyId }) => {
    const words = { name: `${secret} ${crypto.randomUUID()}`, subject: secret, body: secret }
    const [row] = await db
      .insert(messageTemplates)
      .values({ companyId, ...words })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/participants\/:id\/holders\/:userId/, holder],
    [/^\/api\/(?:own\/)?messages\/:id/, message],
    [/^\/api\/message-templates\/:id/, template],
    [/^\/api\/portal\/people\/:id/, person],
    [/^\/api\/portal\/views\/:id/, view],
  ]
}

const createAddOnMaker =
  (secret: string): ParamsMaker =>
  async ({ db }, { companyId }) => {
    await db.insert(subscriptions).values({ companyId }).onConflictDoNothing()
    const values = { companyId, kind: 'training', price: 99_000, state: 'ordered', orderedOn: '2026-03-05', by: secret }
    const [row] = await db.insert(subscriptionAddOns).values(values).returning()
    return { companyId, id: row?.id }
  }

/** A document that belongs to the company but not to its seller: another company finds neither. */
const invoice: ParamsMaker = async ({ db }, { companyId }) => {
  const values = { companyId, sellerCompanyId: companyId, invoiceId: UNKNOWN_ID, kind: 'plan' }
  await db.insert(subscriptionInvoices).values(values).onConflictDoNothing()
  return { id: UNKNOWN_ID }
}

/** Subscription objects. */
const subscriptionMakers = (secret: string): [RegExp, ParamsMaker][] => [
  [/^\/api\/(subscription\/add-ons\/:id|installation\/subscriptions\/:companyId)/, createAddOnMaker(secret)],
  [/^\/api\/subscription\/invoices\/:id/, invoice],
]

type SupportMakerTools = { file: (server: TestServer, companyId: number) => Promise<string>; secret: string }

const RESPONSE_TARGETS = { first: 60, solve: 480 }
export const SUPPORT_BODIES = {
  'POST /api/support/tickets': { subject: 'Ma facture', category: 'invoice', body: 'Pourquoi ce montant ?' },
  'POST /api/support/tickets/:id/messages': { body: 'Et encore ceci.' },
  'POST /api/support/tickets/:id/satisfaction': { score: 4 },
  'POST /api/support/desk/tickets/:id/messages': { body: 'Voici.' },
  'POST /api/support/desk/tickets/:id/notes': { body: 'À voir.' },
  'PATCH /api/support/desk/tickets/:id': { version: 1, priority: 'high' },
  'POST /api/support/desk/tickets/:id/merge': { into: UNKNOWN_ID },
  'POST /api/support/desk/messages/:id': { decision: 'drop' },
  'POST /api/support/desk/replies': { name: 'Reçu', body: 'Bonjour {{prenom}}' },
  'PUT /api/support/desk/replies/:id': { name: 'Reçu', body: 'Bonjour {{prenom}}', version: 1 },
  'PUT /api/support/desk/hours': {
    days: [1],
    from: '09:00',
    to: '17:00',
    alsaceMoselle: false,
    promises: { low: RESPONSE_TARGETS, normal: RESPONSE_TARGETS, high: RESPONSE_TARGETS, urgent: RESPONSE_TARGETS },
    version: 0,
  },
}
export const SUPPORT_QUERIES = {
  'POST /api/support/files': { name: 'facture.pdf' },
  'POST /api/support/desk/tickets/:id/files': { name: 'facture.pdf' },
}

export async function makeTicket(
  { db }: Pick<TestServer, 'db'>,
  owner: Owner,
  more: Partial<typeof tickets.$inferInsert> = {},
) {
  const { companyId, id: askerId } = owner
  const now = new Date()
  const clock = { firstMinutes: 60, solveMinutes: 600, firstDueAt: now, runningSince: now, solveDueAt: now }
  const number = 1 + Math.floor(Math.random() * 1_000_000)
  const [row] = await db
    .insert(tickets)
    .values({
      companyId,
      askerId,
      number,
      desk: 'organiser',
      subject: 'Ma facture',
      category: 'invoice',
      ...clock,
      ...more,
    })
    .returning()
  if (!row) throw new Error('no ticket')
  return row
}

/** Tickets, their messages and files, and canned replies. */
function supportMakers({ file, secret }: SupportMakerTools): [RegExp, ParamsMaker][] {
  const makeOwnTicket: ParamsMaker = async (server, owner) => ({
    id: (await makeTicket(server, owner, { desk: 'keeper', subject: secret })).id,
  })
  const makeOrganiserTicket: ParamsMaker = async (server, owner) => ({
    id: (await makeTicket(server, owner, { subject: secret })).id,
  })
  const message = async (server: TestServer, owner: Owner, heldFrom: string | null) => {
    const { companyId, id: ticketId } = await makeTicket(server, owner, { subject: secret })
    const written = { side: 'asker' as const, author: secret, body: secret, heldFrom }
    const [row] = await server.db
      .insert(ticketMessages)
      .values({ companyId, ticketId, ...written })
      .returning()
    return row?.id ?? ''
  }
  const makeAttachment: ParamsMaker = async (server, owner) => {
    const { companyId } = owner
    const [row] = await server.db
      .insert(ticketFiles)
      .values({ companyId, fileId: await file(server, companyId), messageId: await message(server, owner, null) })
      .returning()
    return { id: row?.id }
  }
  const reply: ParamsMaker = async ({ db }, { companyId }) => {
    const [row] = await db
      .insert(cannedReplies)
      .values({ companyId, desk: 'organiser', name: `${secret} ${crypto.randomUUID()}`, body: secret })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/support\/(?:desk\/)?files\/:id/, makeAttachment],
    [/^\/api\/support\/tickets\/:id/, makeOwnTicket],
    [/^\/api\/support\/desk\/tickets\/:id/, makeOrganiserTicket],
    [
      /^\/api\/support\/desk\/messages\/:id/,
      async (server, owner) => ({ id: await message(server, owner, 'x@exemple.fr') }),
    ],
    [/^\/api\/support\/desk\/replies\/:id/, reply],
  ]
}
