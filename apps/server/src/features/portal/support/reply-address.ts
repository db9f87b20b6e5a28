import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../../secrets.ts'

type TicketRef = { companyId: number; id: string }

/** 72 bits: whoever guesses is let in to write one message, which is held unless the asker's own address sent it. */
const PROOF_LENGTH = 18
const HEX_ID_PATTERN = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/
const REPLY_ADDRESS_PATTERN = /^reply\+([0-9a-z]{1,6})-([0-9a-f]{32})\.([0-9a-f]{18})@([a-z0-9.-]+)$/

/** Of the key of today first, then of those before: people answer old messages. */
const computeProofs = (secrets: Secrets, { companyId, id }: TicketRef) =>
  secrets
    .stamps('reply', `${companyId} ${id}`)
    .map((stamp) => Buffer.from(stamp, 'base64url').toString('hex').slice(0, PROOF_LENGTH))

/** Lower case alone and at most 64 characters before the @: mail servers on the way may fold the one and cut the other. */
export const buildReplyAddress = (secrets: Secrets, host: string, place: TicketRef) =>
  `reply+${place.companyId.toString(36)}-${place.id.replaceAll('-', '')}.${computeProofs(secrets, place)[0]}@${host}`

/** The ticket that an address answers, if this server made it for this host. */
export function parseReplyAddress(secrets: Secrets, host: string, address: string): TicketRef | undefined {
  const [, company = '', hex = '', proof = '', at = ''] = REPLY_ADDRESS_PATTERN.exec(address.trim().toLowerCase()) ?? []
  const id = HEX_ID_PATTERN.exec(hex)?.slice(1).join('-')
  if (!id || at !== host.toLowerCase()) return undefined
  const place = { companyId: Number.parseInt(company, 36), id }
  const ours = computeProofs(secrets, place).some((own) => timingSafeEqual(Buffer.from(proof), Buffer.from(own)))
  return ours ? place : undefined
}

/** Stands in every mail that may be answered: all that comes below it was ours. */
export const REPLY_ABOVE = '— Répondez au-dessus de cette ligne —'

/** How mail programs begin what they quote. */
const QUOTE_PATTERNS = [
  /^\s*>?\s*—\s*Répondez au-dessus de cette ligne\s*—/,
  /^\s*Le\s.{4,120}\s(?:a écrit|écrit)\s*:\s*$/i,
  /^\s*On\s.{4,120}\swrote:\s*$/i,
  /^\s*-{2,}\s*(?:Message d’origine|Message d'origine|Message original|Original Message|Message transféré)\s*-{2,}/i,
  /^\s*_{10,}\s*$/,
  /^\s*(?:De|From)\s*:\s.*@.*$/i,
]
const SIGNATURE_PATTERN = /^-- ?$/

/** A long one is cut in two by the program that wrote it. */
const isQuote = (line: string, next: string) =>
  QUOTE_PATTERNS.some((quote) => quote.test(line)) ||
  (/^\s*(?:Le|On)\s/.test(line) && QUOTE_PATTERNS.some((quote) => quote.test(`${line} ${next}`)))

/** What was written, without what it answers nor the signature below it; where nothing else is left, all of it. */
export function removeQuotedText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const end = lines.findIndex((line, at) => isQuote(line, lines[at + 1] ?? '') || SIGNATURE_PATTERN.test(line))
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !/^\s*>/.test(line))
  return own.join('\n').trim() || text.trim()
}
