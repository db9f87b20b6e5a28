import { Card } from '../../ui/card.tsx'
import { CodePanel } from '../../ui/code/panel.tsx'
import { VERIFICATION_SAMPLES } from './samples.ts'

/** How a receiver knows a message for ours. */
export function SignatureVerification() {
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <Card title="Ce que porte chaque envoi">
        <ul className="prose-width grid list-disc gap-2 pl-5 text-body">
          <li>
            <code>webhook-id</code>&nbsp;: l’identifiant de l’envoi, le même à chaque répétition. Gardez-le pour ne rien
            traiter deux fois.
          </li>
          <li>
            <code>webhook-timestamp</code>&nbsp;: l’instant de l’envoi, en secondes. Refusez ce qui a plus de cinq
            minutes.
          </li>
          <li>
            <code>webhook-signature</code>&nbsp;: <code>v1,</code> puis la signature HMAC-SHA256 de
            «&nbsp;id.instant.corps&nbsp;» en base64&nbsp;; deux, séparées par une espace, pendant un renouvellement du
            secret.
          </li>
          <li>
            Répondez 2xx en moins de quinze secondes. Sinon l’envoi est répété après 5&nbsp;s, 5&nbsp;min, 30&nbsp;min,
            2&nbsp;h, 5&nbsp;h, 10&nbsp;h et 10&nbsp;h&nbsp;; 410 arrête le webhook.
          </li>
        </ul>
      </Card>
      {VERIFICATION_SAMPLES.map(({ id, label, language, code }) => (
        <CodePanel key={id} label={label} language={language} code={code} />
      ))}
    </div>
  )
}
