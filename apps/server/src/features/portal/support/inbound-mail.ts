import { and, count, eq, gt, sql } from 'drizzle-orm'
import { getMediaType, sanitizeFileName, storeFile } from '../../../core/stored-files.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { ticketFiles, ticketMessages, tickets, users } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toAppError } from '../../../http/errors.ts'
import {
  type MailOutcome,
  type MailReceiver,
  openMailReceiver,
  type ReceivedMail,
} from '../../../integrations/mail-in/mail-in.ts'
import { normalizePlainText, toSingleLine } from '../../../plain-text.ts'
import { sha256 } from '../../../secrets.ts'
import { ComputeStopped } from '../../../workers/pool.ts'
import { copyForTransfer } from '../../../workers/task.ts'
import { isRefusedFileName } from './attachments.ts'
import type { ParsedMail } from './mail-task.ts'
import { insertTicketMessage, registerAskerMessage } from './open-ticket.ts'
import { parseReplyAddress, removeQuotedText } from './reply-address.ts'
import { isAuthenticSender, isStatedForged } from './sender-authentication.ts'
import type { TicketRecord } from './ticket-queries.ts'

const MAX_TEXT_LENGTH = 10_000
const UNKNOWN_SENDER = 'expéditeur inconnu'
/** Two programs that answer each other stop here, whatever they say they are. */
const MAX_MAILS_PER_HOUR = 20

type TicketRef = { companyId: number; id: string }

/** The ticket as it stands, or the one that holds its messages now; locked. */
async function findTargetTicket(tx: Db, { companyId, id }: TicketRef): Promise<TicketRecord | undefined> {
  const mine = and(eq(tickets.companyId, companyId), eq(tickets.id, id))
  const [row] = await tx.select().from(tickets).where(mine).for('update')
  return row?.mergedInto ? findTargetTicket(tx, { companyId, id: row.mergedInto }) : row
}

async function exceedsMailLimit(tx: Db, { companyId, id }: TicketRecord): Promise<boolean> {
  const ofTicket = and(eq(ticketMessages.companyId, companyId), eq(ticketMessages.ticketId, id))
  const lately = and(eq(ticketMessages.source, 'mail'), gt(ticketMessages.createdAt, sql`now() - interval '1 hour'`))
  const [row] = await tx.select({ n: count() }).from(ticketMessages).where(and(ofTicket, lately))
  return (row?.n ?? 0) >= MAX_MAILS_PER_HOUR
}

const isMailKnown = async (tx: Db, companyId: number, mailKey: string) =>
  (await tx.$count(ticketMessages, and(eq(ticketMessages.companyId, companyId), eq(ticketMessages.mailKey, mailKey)))) >
  0

const describeLeftOutFiles = (mail: ParsedMail) => {
  const refused = mail.files.filter(({ name }) => isRefusedFileName(sanitizeFileName(name))).length + mail.leftOut
  return refused ? `\n\n[Pièces jointes non gardées\u00a0: ${refused}]` : ''
}

async function storeFiles(tx: Db, { files }: Deps, message: TicketRef, mail: ParsedMail) {
  const { companyId } = message
  for (const { name: given, content } of mail.files) {
    const name = sanitizeFileName(given).slice(0, 200)
    if (!name || isRefusedFileName(name)) continue
    const file = await storeFile(tx, files, companyId, { name, mediaType: getMediaType(name), content })
    await tx.insert(ticketFiles).values({ companyId, fileId: file.id, messageId: message.id })
  }
}

/**
 * The address of a ticket carries a proof that only its asker is sent. Where the receiving server says who wrote, it must say so
 * too: an address travels on with every answer that goes to several people.
 */
function isSenderProved({ config }: Deps, { authenticationResults, from }: ParsedMail): boolean {
  const { SUPPORT_MAIL_AUTHSERV_ID: server } = config
  if (server) return isAuthenticSender(authenticationResults, server, from)
  return !isStatedForged(authenticationResults)
}

/** The asker's own address adds to the thread; another's waits for somebody of the desk to look at it. */
async function addMailToTicket(
  tx: Db,
  deps: Deps,
  ticket: TicketRecord,
  mail: ParsedMail,
  mailKey: string,
): Promise<void> {
  const { companyId } = ticket
  if (await isMailKnown(tx, companyId, mailKey)) return
  if (await exceedsMailLimit(tx, ticket))
    return deps.log.warn({ ticket: ticket.id }, 'too many mails for a ticket, left out')
  const [asker] = await tx.select().from(users).where(eq(users.id, ticket.askerId))
  const own = asker !== undefined && asker.email.toLowerCase() === mail.from && isSenderProved(deps, mail)
  const at = new Date()
  const sender = toSingleLine(mail.from) || UNKNOWN_SENDER
  const text = normalizePlainText(removeQuotedText(mail.text)).slice(0, MAX_TEXT_LENGTH) || '(message sans texte)'
  const message = await insertTicketMessage(tx, ticket, {
    side: 'asker',
    author: own ? `${asker.firstName} ${asker.lastName}`.trim() || asker.email : sender,
    ...(own && { authorId: ticket.askerId }),
    body: text + describeLeftOutFiles(mail),
    source: 'mail',
    heldFrom: own ? null : sender,
    mailKey,
    createdAt: at,
  })
  await storeFiles(tx, deps, message, mail)
  if (own) await registerAskerMessage(tx, ticket, at, message.id)
}

/** Whether a program sent it, or it comes from an address of ours: answered, it would go round for ever. */
const isAutomaticOrOwnMail = (deps: Deps, mail: ParsedMail, from: string) =>
  mail.automatic || from === '' || mail.from.endsWith(`@${deps.config.SUPPORT_MAIL_HOST?.toLowerCase()}`)

/** What may be over at the next try; anything else would be the same for days. */
const TEMPORARY_ERROR_CODES: ReadonlySet<string> = new Set(['unavailable', 'disk-full', 'compute-busy', 'throttled'])
const isTemporary = (error: unknown) =>
  error instanceof ComputeStopped || TEMPORARY_ERROR_CODES.has(toAppError(error)?.code ?? '')

const UNREADABLE_BODY =
  '[Ce message n’a pas pu être lu. Il est joint tel qu’il est arrivé\u00a0; son expéditeur a été prévenu que personne ne l’a lu.]'

/** For the desk to look at: the mail as it came, held like that of a stranger. */
async function storeUnreadableMail(deps: Deps, { raw, from }: ReceivedMail, place: TicketRef) {
  await transaction(scopeToCompany(deps.db, place.companyId), async (tx) => {
    const ticket = await findTargetTicket(tx, place)
    if (!ticket || (await exceedsMailLimit(tx, ticket))) return
    const { companyId } = ticket
    const mailKey = sha256(`${place.id} ${sha256(raw).toString('hex')}`).toString('hex')
    if (await isMailKnown(tx, companyId, mailKey)) return
    const sender = toSingleLine(from) || UNKNOWN_SENDER
    const message = await insertTicketMessage(tx, ticket, {
      side: 'asker',
      author: sender,
      body: UNREADABLE_BODY,
      source: 'mail',
      heldFrom: sender,
      mailKey,
    })
    const about = { name: 'message-illisible.eml', mediaType: 'application/octet-stream' }
    const file = await storeFile(tx, deps.files, companyId, { ...about, content: raw })
    await tx.insert(ticketFiles).values({ companyId, fileId: file.id, messageId: message.id })
  })
}

/**
 * A mail that was let in for the addresses of tickets. What cannot be read today cannot be read tomorrow: it is kept aside, and
 * its sender hears so once instead of being asked to try again for days.
 */
async function receiveMail(deps: Deps, arrived: ReceivedMail): Promise<MailOutcome> {
  const host = deps.config.SUPPORT_MAIL_HOST ?? ''
  const places = arrived.to.flatMap((address) => parseReplyAddress(deps.secrets, host, address) ?? [])
  const [first, ...others] = places
  if (!first) return 'taken'
  try {
    await addMailToTickets(deps, arrived, [first, ...others])
    return 'taken'
  } catch (err) {
    if (isTemporary(err)) throw err
    deps.log.error({ err, ticket: first.id }, 'a mail could not be read, and is kept with its ticket')
    // An empty sender is a program's: whatever is said of its mail, nobody reads it.
    if (arrived.from) for (const place of places) await storeUnreadableMail(deps, arrived, place)
    return 'unreadable'
  }
}

async function addMailToTickets(
  deps: Deps,
  { raw, from }: ReceivedMail,
  places: [TicketRef, ...TicketRef[]],
): Promise<void> {
  const [first] = places
  const contentHash = sha256(raw).toString('hex')
  const mail = await deps.compute('support.mail', copyForTransfer(raw), { companyId: first.companyId })
  if (isAutomaticOrOwnMail(deps, mail, from))
    return deps.log.info({ ticket: first.id }, 'an automatic mail was left out')
  for (const place of places)
    await transaction(scopeToCompany(deps.db, place.companyId), async (tx) => {
      const ticket = await findTargetTicket(tx, place)
      const key = sha256(`${place.id} ${mail.messageId || contentHash}`).toString('hex')
      if (ticket) await addMailToTicket(tx, deps, ticket, mail, key)
    })
}

/** Listens for answers to the mails of the support, where the installation is told to. */
export function startSupportMailServer(deps: Deps): Promise<MailReceiver> | undefined {
  const { SUPPORT_MAIL_HOST: mailHost, SUPPORT_SMTP_PORT: port, SUPPORT_SMTP_HOST: host } = deps.config
  if (!mailHost || port === undefined) return undefined
  return openMailReceiver({
    host,
    port,
    knows: (address) => parseReplyAddress(deps.secrets, mailHost, address) !== undefined,
    take: (arrived) => receiveMail(deps, arrived),
    failed: (err) => deps.log.error({ err }, 'a mail could not be received'),
  })
}
