import type { ParsedInput } from '@voisol/contract/endpoint'
import type {
  CONTACT_SUBJECTS,
  requests as endpoints,
  RequestKind,
  RequestStatus,
  SiteRequest,
} from '@voisol/contract/requests'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { buildOrderBy, matchesSearchWords, toLimitOffset } from '../../../db/list-query.ts'
import { requests } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { normalizePlainText } from '../../../plain-text.ts'
import { formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../identity/mail/index.ts'
import type { RequestRow } from './store-request.ts'

/** Of the company that keeps the site: nobody else's access reaches here. */
const requestScope = (actor: Actor) => eq(requests.companyId, actor.companyId)

export const REQUEST_KIND_LABELS: Record<RequestKind, string> = {
  contact: 'Contact',
  newsletter: 'Lettre d’information',
  'white-paper': 'Livre blanc',
  webinar: 'Webinaire',
}
export const REQUEST_STATUS_LABELS: Record<RequestStatus, string> = {
  new: 'Nouvelle',
  'in-progress': 'En cours',
  answered: 'Répondue',
  closed: 'Close',
}

const SUBJECT_LABELS: Record<(typeof CONTACT_SUBJECTS)[number], string> = {
  demo: 'Démonstration',
  tarifs: 'Tarifs',
  projet: 'Votre projet',
  support: 'Assistance',
  presse: 'Presse',
  partenariat: 'Partenariat',
  autre: 'Autre sujet',
}

/** A contact keeps the name of its subject; anything else the title of what was asked for. */
export const getSubjectLabel = (subject: string) =>
  Object.hasOwn(SUBJECT_LABELS, subject) ? SUBJECT_LABELS[subject as keyof typeof SUBJECT_LABELS] : subject // just looked up

type Query = ParsedInput<typeof endpoints.list>['query']

/** From what is to be done to what is over. */
const statusOrder = sql`array_position(array['new', 'in-progress', 'answered', 'closed'], ${requests.status})`
const SORTS = {
  createdAt: requests.createdAt,
  kind: requests.kind,
  status: statusOrder,
  name: sql`fold(concat_ws(' ', ${requests.lastName}, ${requests.firstName}))`,
  email: requests.email,
  company: sql`fold(${requests.company})`,
  subject: sql`fold(${requests.subject})`,
  handledBy: sql`fold(${requests.handledBy})`,
  subscription: requests.subscription,
}

const toSiteRequest = (row: RequestRow) => {
  const { companyId: _, about: _about, fingerprint: _print, answeredAt: _answered, ...shown } = row
  return { ...shown, createdAt: row.createdAt.toISOString() } as SiteRequest // kinds and states are those written here
}

const buildRequestFilter = (actor: Actor, { q, kind, status }: Query) => {
  const { firstName, lastName, email, phone, company, subject, message } = requests
  return and(
    requestScope(actor),
    kind && eq(requests.kind, kind),
    status && eq(requests.status, status),
    matchesSearchWords(q, [firstName, lastName, email, phone, company, subject, message]),
  )
}
const getRequestOrder = (sort: string | undefined) =>
  [buildOrderBy(sort, SORTS, '-createdAt'), asc(requests.id)] as const

export async function listRequests(db: Db, actor: Actor, query: Query) {
  const where = buildRequestFilter(actor, query)
  const { limit, offset } = toLimitOffset(query)
  const rows = await db
    .select()
    .from(requests)
    .where(where)
    .orderBy(...getRequestOrder(query.sort))
    .limit(limit)
    .offset(offset)
  const [all] = await db.select({ n: count() }).from(requests).where(where)
  return { items: rows.map(toSiteRequest), total: all?.n ?? 0 }
}

/** The same in the same order, without pages. */
export const listAllRequests = async (db: Db, actor: Actor, query: Query) =>
  (
    await db
      .select()
      .from(requests)
      .where(buildRequestFilter(actor, query))
      .orderBy(...getRequestOrder(query.sort))
  ).map(toSiteRequest)

type RequestChange = { before: SiteRequest; after: SiteRequest }
type MailDeps = Pick<Deps, 'secrets' | 'config'>
type UpdateRequestInput = ParsedInput<typeof endpoints.update>['body']
type ReplyToRequestInput = ParsedInput<typeof endpoints.reply>['body']

async function changeRequest(
  tx: Db,
  actor: Actor,
  id: string,
  wanted: { version: number },
  values: (row: RequestRow) => Partial<RequestRow>,
): Promise<RequestChange & { row: RequestRow }> {
  const mine = and(requestScope(actor), eq(requests.id, id))
  const [row] = await tx.select().from(requests).where(mine).for('update')
  if (!row) throw new AppError('not-found')
  const before = toSiteRequest(row)
  requireCurrentVersion(before, wanted)
  const [after] = await tx
    .update(requests)
    .set({ ...values(row), handledBy: formatActorName(actor), version: row.version + 1 })
    .where(mine)
    .returning()
  if (!after) throw new AppError('not-found')
  return { row, before, after: toSiteRequest(after) }
}

export const updateRequest = (tx: Db, actor: Actor, id: string, input: UpdateRequestInput) =>
  changeRequest(tx, actor, id, input, (row) => ({
    status: input.status ?? row.status,
    note: input.note === undefined ? row.note : normalizePlainText(input.note),
  }))

export async function replyToRequest(
  tx: Db,
  post: MailDeps,
  actor: Actor,
  id: string,
  input: ReplyToRequestInput,
): Promise<RequestChange> {
  const message = normalizePlainText(input.message)
  if (!message) throw fieldError('message', 'Ce champ est obligatoire.')
  // Only the version is held against the record: the answer is not the message of the visitor.
  const changed = await changeRequest(tx, actor, id, { version: input.version }, () => ({
    status: 'answered',
    answeredAt: new Date(),
  }))
  await sendReplyMail(tx, post, changed.row, message, formatActorName(actor))
  return changed
}

const getRequestSubject = ({ subject, kind }: RequestRow) =>
  getSubjectLabel(subject) || REQUEST_KIND_LABELS[kind as SiteRequest['kind']] // one of the kinds written here

const LONG_DATE_FORMAT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' })

/** The support mailbox gets a copy: what was answered stays readable by the team. */
async function sendReplyMail(tx: Db, { secrets, config }: MailDeps, row: RequestRow, message: string, author: string) {
  const subject = `Votre demande\u00a0: ${getRequestSubject(row)}`
  const quoted = row.message
    ? [`Votre message du ${LONG_DATE_FORMAT.format(row.createdAt)}\u00a0:\n${row.message}`]
    : []
  const content = renderMail({
    title: subject,
    paragraphs: [formatGreeting(row.firstName), ...message.split(/\n{2,}/), author, ...quoted],
    footer: formatVisitorFooter(config),
  })
  await sendMail(tx, secrets, { to: row.email, replyTo: config.SUPPORT_EMAIL, subject, ...content })
  await sendMail(tx, secrets, {
    to: config.SUPPORT_EMAIL,
    replyTo: row.email,
    subject: `Copie de la réponse à ${row.email}`,
    ...content,
  })
}
