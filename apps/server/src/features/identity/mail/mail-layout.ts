import { createHash } from 'node:crypto'
import { getTextColour, MIN_INK_CONTRAST, toButtonTone, toTextTone } from '@voisol/contract/colour'
import type { Config } from '../../../config.ts'
import type { MailBrand } from '../../../core/mail-brand.ts'
import { escapeHtml } from '../../../http/response-text.ts'
import type { MailAttachment } from '../../../integrations/mail/mail.ts'

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

/** A plausible personal name: a form must not send strangers a sentence or a link in our name. */
const PERSON_NAME_PATTERN = /^[\p{L}\p{M}’' -]{1,40}$/u
export const formatGreeting = (firstName: string) =>
  PERSON_NAME_PATTERN.test(firstName) ? `Bonjour ${firstName},` : 'Bonjour,'

export const formatVisitorFooter = ({ SUPPORT_EMAIL }: Pick<Config, 'SUPPORT_EMAIL'>) =>
  `Voisol — une question\u00a0? Répondez à ce message ou écrivez à ${SUPPORT_EMAIL}.`

type MailContent = {
  title: string
  paragraphs: string[]
  action?: { label: string; url: string } | undefined
  /** Shown below the text. `alt` describes it where images are blocked or read aloud. */
  picture?: { source: string; alt: string; caption: string } | undefined
  footer: string
  /** The unsubscribe link of this kind of message. */
  leave?: string | undefined
  /** The sender, if it is not the product itself: readers know the name on their invoice. */
  by?: string | undefined
  /** The branding of the sending company. */
  brand?: MailBrand | undefined
}

const FONT = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif'
const TEXT_COLOR = '#0F172A'
const MUTED_TEXT_COLOR = '#475569'
const BORDER_COLOR = '#E2E8F0'
/** The width that a message of 560 pixels leaves between its margins. */
export const MAIL_IMAGE_WIDTH = 494
/** The product's own colour, without a company branding. */
const DEFAULT_BRAND_COLOR = '#007BFF'
/** Shades that are readable as a button background and as link text. */
const getBrandTones = (colour: string) => ({ solid: toButtonTone(colour), ink: toTextTone(colour, MIN_INK_CONTRAST) })

/** Prevents header injection by typed names or subjects; non-breaking spaces stay. */
const toOneLine = (text: string) => text.replace(/[^\S\u00A0\u202F]+/g, ' ').trim()
const UNSUBSCRIBE_LABEL = 'Ne plus recevoir ces messages'
const renderUnsubscribeLink = (url: string) =>
  `<br><a href="${escapeHtml(url)}" style="color:${MUTED_TEXT_COLOR}">${UNSUBSCRIBE_LABEL}</a>`
/** Only web URLs: a message never contains a javascript: or data: URL. */
const toWebUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined)

const renderParagraph = (text: string) =>
  `<p style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:${TEXT_COLOR}">${escapeHtml(text).replace(/\n/g, '<br>')}</p>`

/** Rendered at twice its size for high-density screens, and at most as wide as the text. */
const renderImage = ({ source, alt, caption }: NonNullable<MailContent['picture']>) => `
<img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}" width="${MAIL_IMAGE_WIDTH}" style="display:block;width:100%;max-width:${MAIL_IMAGE_WIDTH}px;height:auto;margin:8px 0;${FONT};font-size:14px;color:${TEXT_COLOR}">
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:${MUTED_TEXT_COLOR}">${escapeHtml(caption)}</p>`

type BrandTones = ReturnType<typeof getBrandTones>

/** A coloured table cell, because Outlook ignores the padding of links. */
const renderButton = (label: string, url: string, { solid, ink }: BrandTones) => `
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td bgcolor="${solid}" style="border-radius:8px;padding:12px 24px">
<a href="${escapeHtml(url)}" style="${FONT};font-size:16px;font-weight:600;color:${getTextColour(solid)};text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:${MUTED_TEXT_COLOR}">Si le bouton ne s’ouvre pas, copiez cette adresse dans votre navigateur\u00A0:<br>
<a href="${escapeHtml(url)}" style="color:${ink};word-break:break-all">${escapeHtml(url)}</a></p>`

/** A message in another company's name shows that name and not the logo of the sender. */
const renderLogo = (brand: MailBrand | undefined, by: string) =>
  brand?.logo && by === brand.name
    ? `<img src="${escapeHtml(brand.logo)}" alt="" height="40" style="display:inline-block;height:40px;max-width:200px;vertical-align:middle;margin-right:12px">`
    : ''

type MailFrame = { title: string; body: string; footer: string; by: string; colour: string }
const renderFrame = ({ title, body, footer, by, colour }: MailFrame) => `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title></head>
<body style="margin:0;padding:0;background:#F8FAFC">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#F8FAFC"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px;table-layout:fixed">
<tr><td style="padding:0 0 16px;${FONT};font-size:18px;font-weight:700;color:${TEXT_COLOR};word-wrap:break-word">${by}</td></tr>
<tr><td bgcolor="#FFFFFF" style="border:1px solid ${BORDER_COLOR};border-top:4px solid ${colour};border-radius:12px;padding:32px;word-wrap:break-word">
<h1 style="margin:0 0 16px;${FONT};font-size:22px;line-height:30px;color:${TEXT_COLOR}">${title}</h1>
${body}
</td></tr>
<tr><td style="padding:16px 0 0;${FONT};font-size:13px;line-height:20px;color:${MUTED_TEXT_COLOR};word-wrap:break-word">${footer}</td></tr>
</table></td></tr></table></body></html>`

/** Name and contact of the company, below every message of its own. */
const formatSignature = (brand: MailBrand | undefined) =>
  brand ? [brand.name, toOneLine(brand.address), brand.contact].filter(Boolean).join(' · ') : ''

/** The common layout of every message, as HTML and as plain text. */
export function renderMail(content: MailContent): { html: string; text: string } {
  const { title, paragraphs, action, brand, picture } = content
  const leave = content.leave && toWebUrl(content.leave)
  const by = content.by ?? brand?.name ?? 'Voisol'
  const colour = brand?.colour ?? DEFAULT_BRAND_COLOR
  const footer = [content.footer, formatSignature(brand)].filter(Boolean).join('\n')
  const url = action && toWebUrl(action.url)
  const link = action && url ? [`${action.label}\u00A0: ${url}`] : []
  const buttons = action && url ? [renderButton(action.label, url, getBrandTones(colour))] : []
  return {
    html: renderFrame({
      title: escapeHtml(toOneLine(title)),
      body: [...paragraphs.map(renderParagraph), ...(picture ? [renderImage(picture)] : []), ...buttons].join('\n'),
      footer: escapeHtml(footer).replace(/\n/g, '<br>') + (leave ? renderUnsubscribeLink(leave) : ''),
      by: renderLogo(brand, by) + escapeHtml(toOneLine(by)),
      colour: getBrandTones(colour).ink,
    }),
    text: `${[toOneLine(title), ...paragraphs, ...link, '--', footer, ...(leave ? [`${UNSUBSCRIBE_LABEL}\u00A0: ${leave}`] : [])].join('\n\n')}\n`,
  }
}
