import { and, count, eq, gt, sql } from 'drizzle-orm'
import type { Arrived } from '../../../adapters/mail-in/mail-in.ts'
import { handedOver } from '../../../compute/handed-over.ts'
import { keepFile } from '../../../core/kept-files.ts'
import { cleanName, mediaTypeOf } from '../../../core/media-type.ts'
import { type Db, forCompany, transaction } from '../../../db/client.ts'
import { ticketFiles, ticketMessages, tickets, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { plainText } from '../../../plain-text.ts'
import { sha256 } from '../../../secrets.ts'
import { isRefusedName } from './attachments.ts'
import type { ReadMail } from './mail-task.ts'
import { withoutQuote } from './quoted.ts'
import { readReplyAddress } from './reply-address.ts'
import type { TicketRecord } from './view.ts'
import { addMessage, continued } from './write.ts'

const MOST_TEXT = 10_000
/** Two programs that answer each other stop here, whatever they say they are. */
const MOST_AN_HOUR = 20

type Place = { companyId: number; id: string }

/** The ticket as it stands, or the one that holds its messages now; locked. */
async function findFor(tx: Db, { companyId, id }: Place): Promise<TicketRecord | undefined> {
  const mine = and(eq(tickets.companyId, companyId), eq(tickets.id, id))
  const [row] = await tx.select().from(tickets).where(mine).for('update')
  return row?.mergedInto ? findFor(tx, { companyId, id: row.mergedInto }) : row
}

async function tooMany(tx: Db, { companyId, id }: TicketRecord): Promise<boolean> {
  const ofTicket = and(eq(ticketMessages.companyId, companyId), eq(ticketMessages.ticketId, id))
  const lately = and(eq(ticketMessages.source, 'mail'), gt(ticketMessages.createdAt, sql`now() - interval '1 hour'`))
  const [row] = await tx.select({ n: count() }).from(ticketMessages).where(and(ofTicket, lately))
  return (row?.n ?? 0) >= MOST_AN_HOUR
}

const leftOutWords = (mail: ReadMail) => {
  const refused = mail.files.filter(({ name }) => isRefusedName(cleanName(name))).length + mail.leftOut
  return refused ? `\n\n[Pièces jointes non gardées\u00a0: ${refused}]` : ''
}

async function keepFiles(tx: Db, { files }: Deps, message: Place, mail: ReadMail) {
  const { companyId } = message
  for (const { name: given, content } of mail.files) {
    const name = cleanName(given).slice(0, 200)
    if (!name || isRefusedName(name)) continue
    const file = await keepFile(tx, files, companyId, { name, mediaType: mediaTypeOf(name), content })
    await tx.insert(ticketFiles).values({ companyId, fileId: file.id, messageId: message.id })
  }
}

/** The asker's own address adds to the thread; another's waits for somebody of the desk to look at it. */
async function add(tx: Db, deps: Deps, ticket: TicketRecord, mail: ReadMail, mailKey: string): Promise<void> {
  const { companyId } = ticket
  const known = and(eq(ticketMessages.companyId, companyId), eq(ticketMessages.mailKey, mailKey))
  if ((await tx.select({ id: ticketMessages.id }).from(ticketMessages).where(known)).length) return
  if (await tooMany(tx, ticket)) return deps.log.warn({ ticket: ticket.id }, 'too many mails for a ticket, left out')
  const [asker] = await tx.select().from(users).where(eq(users.id, ticket.askerId))
  const own = asker?.email.toLowerCase() === mail.from
  const at = new Date()
  const text = plainText(withoutQuote(mail.text)).slice(0, MOST_TEXT) || '(message sans texte)'
  const message = await addMessage(tx, ticket, {
    side: 'asker',
    author: own && asker ? `${asker.firstName} ${asker.lastName}`.trim() || asker.email : mail.from,
    ...(own && { authorId: ticket.askerId }),
    body: text + leftOutWords(mail),
    source: 'mail',
    heldFrom: own ? null : mail.from || 'expéditeur inconnu',
    mailKey,
    createdAt: at,
  })
  await keepFiles(tx, deps, message, mail)
  if (own) await continued(tx, ticket, at, message.id)
}

/** Whether a program sent it, or it comes from an address of ours: answered, it would go round for ever. */
const isEcho = (deps: Deps, mail: ReadMail, from: string) =>
  mail.automatic || from === '' || mail.from.endsWith(`@${deps.config.SUPPORT_MAIL_HOST?.toLowerCase()}`)

/** A mail that was let in for the addresses of tickets. */
export async function receiveMail(deps: Deps, { raw, from, to }: Arrived): Promise<void> {
  const host = deps.config.SUPPORT_MAIL_HOST ?? ''
  const places = to.flatMap((address) => readReplyAddress(deps.secrets, host, address) ?? [])
  const [first] = places
  if (!first) return
  const print = sha256(raw).toString('hex')
  const mail = await deps.compute('support.mail', handedOver(raw), { companyId: first.companyId })
  if (isEcho(deps, mail, from)) return deps.log.info({ ticket: first.id }, 'an automatic mail was left out')
  for (const place of places)
    await transaction(forCompany(deps.db, place.companyId), async (tx) => {
      const ticket = await findFor(tx, place)
      const key = sha256(`${place.id} ${mail.messageId || print}`).toString('hex')
      if (ticket) await add(tx, deps, ticket, mail, key)
    })
}
