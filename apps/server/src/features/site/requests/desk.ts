import type { ParsedInput } from '@voisol/contract/endpoint'
import type { requests as endpoints, SiteRequest } from '@voisol/contract/requests'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { requests } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { normalizePlainText } from '../../../plain-text.ts'
import { formatGreeting, formatVisitorFooter, renderMail, sendMail } from '../../people/mail/mail.ts'
import type { RequestRow } from './keep.ts'
import { getSubjectLabel, REQUEST_KIND_LABELS } from './labels.ts'
import { requestScope } from './scope.ts'
import { toSiteRequest } from './view.ts'

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
