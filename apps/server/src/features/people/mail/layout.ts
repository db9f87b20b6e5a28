import { escapeHtml } from '../../../http/html.ts'

export type MailContent = {
  title: string
  paragraphs: string[]
  action?: { label: string; url: string } | undefined
  footer: string
  /** Who writes, where it is not the product itself: a reader knows the name on the invoice. */
  by?: string
}

const FONT = 'font-family:Inter,Segoe UI,Helvetica,Arial,sans-serif'
const INK = '#0F172A'
const SOFT_INK = '#475569'
const LINE = '#E2E8F0'
/** The default primary colour, darkened until white text on it is readable. */
const BUTTON = '#0062CC'

/** A name or a subject typed by somebody must not begin a new line of a header. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
/** Nothing but the web: a message never carries a javascript: or data: address. */
const webAddress = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined)

const paragraph = (text: string) =>
  `<p style="margin:0 0 16px;${FONT};font-size:16px;line-height:24px;color:${INK}">${escapeHtml(text).replace(/\n/g, '<br>')}</p>`

/** A coloured cell, not a padded link: Outlook ignores the padding of links. */
const button = (label: string, url: string) => `
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td bgcolor="${BUTTON}" style="border-radius:8px;padding:12px 24px">
<a href="${escapeHtml(url)}" style="${FONT};font-size:16px;font-weight:600;color:#FFFFFF;text-decoration:none">${escapeHtml(label)}</a>
</td></tr></table>
<p style="margin:0 0 16px;${FONT};font-size:13px;line-height:20px;color:${SOFT_INK}">Si le bouton ne s’ouvre pas, copiez cette adresse dans votre navigateur :<br>
<a href="${escapeHtml(url)}" style="color:${BUTTON};word-break:break-all">${escapeHtml(url)}</a></p>`

type Frame = { title: string; body: string; footer: string; by: string }
const frame = ({ title, body, footer, by }: Frame) => `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title></head>
<body style="margin:0;padding:0;background:#F8FAFC">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#F8FAFC"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td style="padding:0 0 16px;${FONT};font-size:18px;font-weight:700;color:${INK}">${by}</td></tr>
<tr><td bgcolor="#FFFFFF" style="border:1px solid ${LINE};border-radius:12px;padding:32px">
<h1 style="margin:0 0 16px;${FONT};font-size:22px;line-height:30px;color:${INK}">${title}</h1>
${body}
</td></tr>
<tr><td style="padding:16px 0 0;${FONT};font-size:13px;line-height:20px;color:${SOFT_INK}">${footer}</td></tr>
</table></td></tr></table></body></html>`

/** The one look of every message, and the same words as plain text. */
export function mailLayout(content: MailContent): { html: string; text: string } {
  const { title, paragraphs, action, footer, by = 'Voisol' } = content
  const url = action && webAddress(action.url)
  const body = [...paragraphs.map(paragraph), ...(action && url ? [button(action.label, url)] : [])].join('\n')
  const link = action && url ? [`${action.label}\u00A0: ${url}`] : []
  return {
    html: frame({
      title: escapeHtml(oneLine(title)),
      body,
      footer: escapeHtml(footer).replace(/\n/g, '<br>'),
      by: escapeHtml(oneLine(by)),
    }),
    text: `${[oneLine(title), ...paragraphs, ...link, '--', footer].join('\n\n')}\n`,
  }
}
