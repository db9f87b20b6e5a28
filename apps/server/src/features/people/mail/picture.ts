import { createHash } from 'node:crypto'
import type { MailAttachment } from '../../../adapters/mail/mail.ts'

/** A picture of a message: its bytes, and what it shows in words. */
export type MailImage = { filename: string; png: Buffer; alt: string; caption: string }

/** For a page that shows the message: what travels beside it is put into it. */
export const inlineAttachments = (html: string, attachments: MailAttachment[] = []) =>
  attachments.reduce(
    (page, { cid, contentType, content }) =>
      cid ? page.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`) : page,
    html,
  )

/** It travels with the message and is asked of nobody: opening it tells no server. */
export function buildMailImageParts({ filename, png, alt, caption }: MailImage) {
  const cid = `${createHash('sha256').update(png).digest('hex').slice(0, 32)}@voisol`
  const attachment: MailAttachment = {
    filename,
    content: png.toString('base64'),
    contentType: 'image/png',
    encoding: 'base64',
    cid,
  }
  return { picture: { source: `cid:${cid}`, alt, caption }, attachment }
}
