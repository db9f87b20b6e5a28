import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Address, Email } from 'postal-mime'
import { AppError } from '../../../http/errors.ts'
import { escapeHtml } from '../../../http/response-text.ts'
import { getCatcherFolder, loadCaughtMessage, loadCaughtMessages } from '../../../integrations/mail/catcher.ts'

const STYLE = `
  body { margin: 0; background: #f8fafc; color: #0f172a; font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 880px; margin: 0 auto; padding: 32px 16px 64px }
  h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 8px; overflow-wrap: anywhere }
  h2 { font-size: 1rem; margin: 32px 0 8px }
  p { margin: 0 0 24px; color: #475569 }
  a { color: #0062cc }
  a:focus-visible { outline: 3px solid #0062cc; outline-offset: 2px; border-radius: 4px }
  ul, dl, pre, iframe { background: #fff; border: 1px solid #e2e8f0; border-radius: 12px; margin: 0 }
  ul { list-style: none; padding: 0; overflow: hidden }
  li + li { border-top: 1px solid #e2e8f0 }
  li a { display: block; padding: 12px 16px; color: inherit; text-decoration: none }
  li a:hover { background: #f1f5f9 }
  li strong { display: block; overflow-wrap: anywhere }
  li span, dt { color: #475569; font-size: .875rem }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; padding: 16px }
  dd { margin: 0; overflow-wrap: anywhere }
  pre { padding: 16px; white-space: pre-wrap; overflow-wrap: anywhere; font: .875rem/1.5 ui-monospace, monospace }
  iframe { display: block; width: 100%; height: 640px; box-sizing: border-box }`

const renderPage = (title: string, body: string) => `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)} · Voisol</title><style>${STYLE}</style></head>
<body><main>${body}</main></body></html>`

const formatAddresses = (list: Address[] | undefined) =>
  (list ?? []).map(({ name, address }) => (name ? `${name} <${address}>` : (address ?? ''))).join(', ')
const DATE_TIME_FORMAT = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'Europe/Paris',
})
const formatDateTime = (date: string | undefined) => (date ? DATE_TIME_FORMAT.format(new Date(date)) : '')
const getSubject = (mail: Email) => mail.subject || '(sans objet)'

const renderRow = (mail: Email & { file: string }) => `
<li><a href="/dev/mail/${encodeURIComponent(mail.file)}"><strong>${escapeHtml(getSubject(mail))}</strong>
<span>${escapeHtml(formatAddresses(mail.to))} · ${escapeHtml(formatDateTime(mail.date))}</span></a></li>`

const renderListPage = (mails: (Email & { file: string })[]) =>
  renderPage(
    'Messages interceptés',
    `<h1>Messages interceptés</h1>
<p>Aucun serveur SMTP n’est réglé\u00a0: les messages sont gardés ici au lieu d’être envoyés.</p>
${mails.length ? `<ul>${mails.map(renderRow).join('')}</ul>` : '<p>Aucun message pour l’instant.</p>'}`,
  )

const renderHeaders = (mail: Email) =>
  [
    ['De', formatAddresses(mail.from && [mail.from])],
    ['À', formatAddresses(mail.to)],
    ['Répondre à', formatAddresses(mail.replyTo)],
    ['Date', formatDateTime(mail.date)],
    ['Identifiant', mail.messageId ?? ''],
    ['Pièces jointes', mail.attachments.map(({ filename }) => filename ?? '(sans nom)').join(', ')],
  ]
    .filter(([, value]) => value)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value ?? '')}</dd>`)
    .join('')

/** Scripts are disabled in the frame; links open in a new tab. */
const renderFrame = (html: string) =>
  `<iframe title="Message mis en forme" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(`<!doctype html><base target="_blank">${html}`)}"></iframe>`

const renderMessagePage = (mail: Email) =>
  renderPage(
    getSubject(mail),
    `<p><a href="/dev/mail">← Tous les messages</a></p><h1>${escapeHtml(getSubject(mail))}</h1><dl>${renderHeaders(mail)}</dl>
${mail.html ? `<h2>Mise en forme</h2>${renderFrame(mail.html)}` : ''}
${mail.text ? `<h2>Texte seul</h2><pre>${escapeHtml(mail.text)}</pre>` : ''}`,
  )

const sendHtml = (reply: FastifyReply, html: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(html)

/** Pages where developers read caught messages. They exist only while this process catches its own mail. */
export function registerDevMailRoutes(app: FastifyInstance) {
  const { production, SMTP_URL } = app.deps.config
  const folder = production ? undefined : getCatcherFolder(SMTP_URL)
  if (!folder) return
  app.get('/dev/mail', async (_, reply) => sendHtml(reply, renderListPage(await loadCaughtMessages(folder))))
  app.get<{ Params: { file: string } }>('/dev/mail/:file', async ({ params }, reply) => {
    if (!/^[\w-]+\.eml$/.test(params.file)) throw new AppError('not-found')
    const mail = await loadCaughtMessage(folder, params.file)
    if (!mail) throw new AppError('not-found')
    return sendHtml(reply, renderMessagePage(mail))
  })
}
