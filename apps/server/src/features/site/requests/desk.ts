import type { Parsed } from '@voisol/contract/endpoint'
import type { requests as endpoints, SiteRequest } from '@voisol/contract/requests'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { requests } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { plainText } from '../../../plain-text.ts'
import { greeting, mailLayout, sendMail, visitorFooter } from '../../people/mail/mail.ts'
import type { RequestRow } from './keep.ts'
import { KIND_LABELS, subjectLabel } from './labels.ts'
import { requestScope } from './scope.ts'
import { toRequest } from './view.ts'

type Change = { before: SiteRequest; after: SiteRequest }
type Post = Pick<Deps, 'secrets' | 'config'>
type Update = Parsed<typeof endpoints.update>['body']
type Reply = Parsed<typeof endpoints.reply>['body']

async function change(
  tx: Db,
  actor: Actor,
  id: string,
  wanted: { version: number },
  values: (row: RequestRow) => Partial<RequestRow>,
): Promise<Change & { row: RequestRow }> {
  const mine = and(requestScope(actor), eq(requests.id, id))
  const [row] = await tx.select().from(requests).where(mine).for('update')
  if (!row) throw new AppError('not-found')
  const before = toRequest(row)
  requireVersion(before, wanted)
  const [after] = await tx
    .update(requests)
    .set({ ...values(row), handledBy: nameOfActor(actor), version: row.version + 1 })
    .where(mine)
    .returning()
  if (!after) throw new AppError('not-found')
  return { row, before, after: toRequest(after) }
}

export const updateRequest = (tx: Db, actor: Actor, id: string, input: Update) =>
  change(tx, actor, id, input, (row) => ({
    status: input.status ?? row.status,
    note: input.note === undefined ? row.note : plainText(input.note),
  }))

export async function replyTo(tx: Db, post: Post, actor: Actor, id: string, input: Reply): Promise<Change> {
  const message = plainText(input.message)
  if (!message) throw fieldError('message', 'Ce champ est obligatoire.')
  // Only the version is held against the record: the answer is not the message of the visitor.
  const changed = await change(tx, actor, id, { version: input.version }, () => ({
    status: 'answered',
    answeredAt: new Date(),
  }))
  await mailReply(tx, post, changed.row, message, nameOfActor(actor))
  return changed
}

const about = ({ subject, kind }: RequestRow) => subjectLabel(subject) || KIND_LABELS[kind as SiteRequest['kind']] // one of the kinds written here

const WHEN = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' })

/** The support mailbox gets a copy: what was answered stays readable by the team. */
async function mailReply(tx: Db, { secrets, config }: Post, row: RequestRow, message: string, author: string) {
  const subject = `Votre demande\u00a0: ${about(row)}`
  const quoted = row.message ? [`Votre message du ${WHEN.format(row.createdAt)}\u00a0:\n${row.message}`] : []
  const content = mailLayout({
    title: subject,
    paragraphs: [greeting(row.firstName), ...message.split(/\n{2,}/), author, ...quoted],
    footer: visitorFooter(config),
  })
  await sendMail(tx, secrets, { to: row.email, replyTo: config.SUPPORT_EMAIL, subject, ...content })
  await sendMail(tx, secrets, {
    to: config.SUPPORT_EMAIL,
    replyTo: row.email,
    subject: `Copie de la réponse à ${row.email}`,
    ...content,
  })
}
