import { createHash } from 'node:crypto'
import type { MailAttachment } from '../../../adapters/mail/mail.ts'

/** An image of a message, with its bytes and its description. */
export type MailImage = { filename: string; png: Buffer; alt: string; caption: string }

/** For a preview page: attached images are embedded in the HTML. */
export const inlineAttachments = (html: string, attachments: MailAttachment[] = []) =>
  attachments.reduce(
    (page, { cid, contentType, content }) =>
      cid ? page.replaceAll(`cid:${cid}`, `data:${contentType};base64,${content}`) : page,
    html,
  )

/** The image is attached and not linked, so that opening the message contacts no server. */
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
