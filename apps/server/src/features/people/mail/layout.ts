import { getTextColour, MIN_INK_CONTRAST, toButtonTone, toTextTone } from '@voisol/contract/colour'
import type { MailBrand } from '../../../core/mail-brand.ts'
import { escapeHtml } from '../../../http/html.ts'

export type MailContent = {
  title: string
  paragraphs: string[]
  action?: { label: string; url: string } | undefined
  /** Shown under the words. Where pictures are blocked, or read aloud, `alt` says what it shows. */
  picture?: { source: string; alt: string; caption: string } | undefined
  footer: string
  /** Where its reader ends messages like this one. */
  leave?: string | undefined
  /** Who writes, where it is not the product itself: a reader knows the name on the invoice. */
  by?: string | undefined
  /** The look of the company that it is sent for. */
  brand?: MailBrand | undefined
}

const FONT = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif'
const TEXT_COLOR = '#0F172A'
const MUTED_TEXT_COLOR = '#475569'
const BORDER_COLOR = '#E2E8F0'
/** What a message of 560 pixels leaves between its margins. */
export const MAIL_IMAGE_WIDTH = 494
/** The product's own colour, where no company's stands in its place. */
const DEFAULT_BRAND_COLOR = '#007BFF'
/** A colour as it reads: under the words of a button, and as the ink of a link. */
const getBrandTones = (colour: string) => ({ solid: toButtonTone(colour), ink: toTextTone(colour, MIN_INK_CONTRAST) })

/** A name or a subject typed by somebody must not begin a new line of a header; spaces that hold words together stay. */
const toOneLine = (text: string) => text.replace(/[^\S\u00A0\u202F]+/g, ' ').trim()
const UNSUBSCRIBE_LABEL = 'Ne plus recevoir ces messages'
const renderUnsubscribeLink = (url: string) =>
  `<br><a href="${escapeHtml(url)}" style="color:${MUTED_TEXT_COLOR}">${UNSUBSCRIBE_LABEL}</a>`
/** Nothing but the web: a message never carries a javascript: or data: address. */
const toWebUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined)

const renderParagraph = (text: string) =>
  `<p style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:${TEXT_COLOR}">${escapeHtml(text).replace(/\n/g, '<br>')}</p>`

/** Drawn at twice its size for sharp screens; as wide as the words at most. */
const renderImage = ({ source, alt, caption }: NonNullable<MailContent['picture']>) => `
<img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}" width="${MAIL_IMAGE_WIDTH}" style="display:block;width:100%;max-width:${MAIL_IMAGE_WIDTH}px;height:auto;margin:8px 0;${FONT};font-size:14px;color:${TEXT_COLOR}">
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:${MUTED_TEXT_COLOR}">${escapeHtml(caption)}</p>`

type BrandTones = ReturnType<typeof getBrandTones>

/** A coloured cell, not a padded link: Outlook ignores the padding of links. */
const renderButton = (label: string, url: string, { solid, ink }: BrandTones) => `
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td bgcolor="${solid}" style="border-radius:8px;padding:12px 24px">
<a href="${escapeHtml(url)}" style="${FONT};font-size:16px;font-weight:600;color:${getTextColour(solid)};text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:${MUTED_TEXT_COLOR}">Si le bouton ne s’ouvre pas, copiez cette adresse dans votre navigateur\u00A0:<br>
<a href="${escapeHtml(url)}" style="color:${ink};word-break:break-all">${escapeHtml(url)}</a></p>`

/** Another's letter bears its own name and not the logo of whoever carries it. */
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

/** Who they are and how they are reached, under every message of theirs. */
const formatSignature = (brand: MailBrand | undefined) =>
  brand ? [brand.name, toOneLine(brand.address), brand.contact].filter(Boolean).join(' · ') : ''

/** The one look of every message, and the same words as plain text. */
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
