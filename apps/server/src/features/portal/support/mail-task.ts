import PostalMime, { addressParser, type Email } from 'postal-mime'
import type { TaskResult } from '../../../workers/task.ts'

export type ParsedMail = {
  /** Empty where the mail names nobody, or several: servers on the way may have looked at another one. */
  from: string
  /** What servers on the way state of the sender, topmost first; anybody may have written it. */
  authenticationResults: string[]
  messageId: string
  text: string
  /** Sent by a program, to nobody in particular: nobody waits for an answer to it. */
  automatic: boolean
  files: { name: string; content: Uint8Array }[]
  /** What is not kept: too many, too large, or without a name. */
  leftOut: number
}

const MAX_FILES = 5
const MAX_FILE_BYTES = 10_000_000
const MAX_TEXT_LENGTH = 200_000
const MAX_STATEMENTS = 20
const MAX_STATEMENT_LENGTH = 4000

const getHeader = ({ headers }: Email, name: string) =>
  headers
    .find(({ key }) => key === name)
    ?.value.trim()
    .toLowerCase() ?? ''

/** RFC 3834, and what programs wrote before it. */
const isAutomatic = (mail: Email) => {
  const submitted = getHeader(mail, 'auto-submitted')
  return (
    (submitted !== '' && submitted !== 'no') ||
    /^(?:bulk|junk|list|auto_reply)/.test(getHeader(mail, 'precedence')) ||
    ['x-autoreply', 'x-autorespond', 'list-id'].some((name) => getHeader(mail, name) !== '') ||
    /^multipart\/report/.test(getHeader(mail, 'content-type'))
  )
}

function parseSender({ headers }: Email): string {
  const named = headers.filter(({ key }) => key === 'from').flatMap(({ value }) => addressParser(value))
  const [only, ...others] = named
  return only?.address && !others.length ? only.address.trim().toLowerCase() : ''
}

const listAuthenticationResults = ({ headers }: Email) =>
  headers
    .filter(({ key }) => key === 'authentication-results')
    .slice(0, MAX_STATEMENTS)
    .map(({ value }) => value.slice(0, MAX_STATEMENT_LENGTH))

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** The words of a page, where a mail has no other. What it quotes goes with its mark. */
const htmlToText = (html: string) =>
  html
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/<(style|script|head|blockquote)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<(?:br|\/p|\/div|\/li|\/tr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]{0,2000}>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{3,}/g, '\n\n')

const toBytes = (content: Email['attachments'][number]['content']) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** A message that arrived, understood; nothing of it is trusted. */
export default async function parseMail(raw: Uint8Array): Promise<TaskResult<ParsedMail>> {
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 20, maxHeadersSize: 200_000 })
  const all = mail.attachments.filter(({ filename, disposition }) => filename && disposition !== 'inline')
  const files = all.map(({ filename, content }) => ({ name: filename ?? '', content: toBytes(content) }))
  const kept = files
    .filter(({ content }) => content.byteLength > 0 && content.byteLength <= MAX_FILE_BYTES)
    .slice(0, MAX_FILES)
  return {
    value: {
      from: parseSender(mail),
      authenticationResults: listAuthenticationResults(mail),
      messageId: mail.messageId ?? '',
      text: (mail.text?.trim() || htmlToText(mail.html ?? '')).slice(0, MAX_TEXT_LENGTH),
      automatic: isAutomatic(mail),
      files: kept,
      leftOut: all.length - kept.length,
    },
  }
}
