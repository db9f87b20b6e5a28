import { INK_CONTRAST, inkTone, onColor, solidTone } from '@voisol/contract/colour'
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
const INK = '#0F172A'
const SOFT_INK = '#475569'
const LINE = '#E2E8F0'
/** What a message of 560 pixels leaves between its margins. */
export const PICTURE_WIDTH = 494
/** The product's own colour, where no company's stands in its place. */
const COLOUR = '#007BFF'
/** A colour as it reads: under the words of a button, and as the ink of a link. */
const tonesOf = (colour: string) => ({ solid: solidTone(colour), ink: inkTone(colour, INK_CONTRAST) })

/** A name or a subject typed by somebody must not begin a new line of a header; spaces that hold words together stay. */
const oneLine = (text: string) => text.replace(/[^\S\u00A0\u202F]+/g, ' ').trim()
const LEAVE = 'Ne plus recevoir ces messages'
const leaveLink = (url: string) => `<br><a href="${escapeHtml(url)}" style="color:${SOFT_INK}">${LEAVE}</a>`
/** Nothing but the web: a message never carries a javascript: or data: address. */
const webAddress = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined)

const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:${INK}">${escapeHtml(text).replace(/\n/g, '<br>')}</p>`

/** Drawn at twice its size for sharp screens; as wide as the words at most. */
const pictured = ({ source, alt, caption }: NonNullable<MailContent['picture']>) => `
<img src="${escapeHtml(source)}" alt="${escapeHtml(alt)}" width="${PICTURE_WIDTH}" style="display:block;width:100%;max-width:${PICTURE_WIDTH}px;height:auto;margin:8px 0;${FONT};font-size:14px;color:${INK}">
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:${SOFT_INK}">${escapeHtml(caption)}</p>`

type Tones = ReturnType<typeof tonesOf>

/** A coloured cell, not a padded link: Outlook ignores the padding of links. */
const button = (label: string, url: string, { solid, ink }: Tones) => `
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td bgcolor="${solid}" style="border-radius:8px;padding:12px 24px">
<a href="${escapeHtml(url)}" style="${FONT};font-size:16px;font-weight:600;color:${onColor(solid)};text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:${SOFT_INK}">Si le bouton ne s’ouvre pas, copiez cette adresse dans votre navigateur\u00A0:<br>
<a href="${escapeHtml(url)}" style="color:${ink};word-break:break-all">${escapeHtml(url)}</a></p>`

/** Another's letter bears its own name and not the logo of whoever carries it. */
const logoOf = (brand: MailBrand | undefined, by: string) =>
  brand?.logo && by === brand.name
    ? `<img src="${escapeHtml(brand.logo)}" alt="" height="40" style="display:inline-block;height:40px;max-width:200px;vertical-align:middle;margin-right:12px">`
    : ''

type Frame = { title: string; body: string; footer: string; by: string; colour: string }
const frame = ({ title, body, footer, by, colour }: Frame) => `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title></head>
<body style="margin:0;padding:0;background:#F8FAFC">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#F8FAFC"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px;table-layout:fixed">
<tr><td style="padding:0 0 16px;${FONT};font-size:18px;font-weight:700;color:${INK};word-wrap:break-word">${by}</td></tr>
<tr><td bgcolor="#FFFFFF" style="border:1px solid ${LINE};border-top:4px solid ${colour};border-radius:12px;padding:32px;word-wrap:break-word">
<h1 style="margin:0 0 16px;${FONT};font-size:22px;line-height:30px;color:${INK}">${title}</h1>
${body}
</td></tr>
<tr><td style="padding:16px 0 0;${FONT};font-size:13px;line-height:20px;color:${SOFT_INK};word-wrap:break-word">${footer}</td></tr>
</table></td></tr></table></body></html>`

/** Who they are and how they are reached, under every message of theirs. */
const signature = (brand: MailBrand | undefined) =>
  brand ? [brand.name, oneLine(brand.address), brand.contact].filter(Boolean).join(' · ') : ''

/** The one look of every message, and the same words as plain text. */
export function mailLayout(content: MailContent): { html: string; text: string } {
  const { title, paragraphs, action, brand, picture } = content
  const leave = content.leave && webAddress(content.leave)
  const by = content.by ?? brand?.name ?? 'Voisol'
  const colour = brand?.colour ?? COLOUR
  const footer = [content.footer, signature(brand)].filter(Boolean).join('\n')
  const url = action && webAddress(action.url)
  const link = action && url ? [`${action.label}\u00A0: ${url}`] : []
  const pressed = action && url ? [button(action.label, url, tonesOf(colour))] : []
  return {
    html: frame({
      title: escapeHtml(oneLine(title)),
      body: [...paragraphs.map(paragraph), ...(picture ? [pictured(picture)] : []), ...pressed].join('\n'),
      footer: escapeHtml(footer).replace(/\n/g, '<br>') + (leave ? leaveLink(leave) : ''),
      by: logoOf(brand, by) + escapeHtml(oneLine(by)),
      colour: tonesOf(colour).ink,
    }),
    text: `${[oneLine(title), ...paragraphs, ...link, '--', footer, ...(leave ? [`${LEAVE}\u00A0: ${leave}`] : [])].join('\n\n')}\n`,
  }
}
