import { Button } from '../../ui/button.tsx'
import { CodePanel } from '../../ui/code/panel.tsx'

const buildCurlExample = (key: string) =>
  `curl '${window.location.origin}/api/acc-operations?limit=5' \\\n  -H "Authorization: Bearer ${key}"`

/** The one time the key is seen. */
export function ApiKeySecret({ secret, note, onDone }: { secret: string; note: string; onDone: () => void }) {
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <p role="status" className="rounded-card bg-warning-soft p-4 text-body text-warning">
        Copiez cette clé maintenant&nbsp;: Voisol n’en garde qu’une empreinte, et ne pourra plus vous la montrer. {note}
      </p>
      <CodePanel label="Votre clé" code={secret} language="text" copy="Copier la clé" />
      <CodePanel label="Un premier appel" code={buildCurlExample(secret)} language="bash" copy="Copier l’exemple" />
      <Button className="justify-self-end" onClick={onDone}>
        J’ai copié la clé
      </Button>
    </div>
  )
}
