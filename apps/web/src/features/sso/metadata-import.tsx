import { sso } from '@voisol/contract/sso'
import { useId, useState } from 'react'
import { ApiError } from '../../lib/call.ts'
import { withAccess } from '../../lib/can.tsx'
import { explainError } from '../../lib/explain.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Textarea } from '../../ui/textarea.tsx'

type ImportedMetadata = { entityId: string; ssoUrl: string; certificates: string }

const isUrl = (text: string) => /^https?:\/\/\S+$/.test(text)
/** The sentence of the field where there is one: it says what to do. */
const getErrorSentence = (error: unknown) =>
  (error instanceof ApiError ? error.problem?.issues?.[0]?.message : undefined) ?? explainError(error)

/** Fills the form from what the provider says of itself, by its address or as the document; it is looked at before it is saved. */
export const MetadataImport = withAccess(sso.metadata, ({ onRead }: { onRead: (read: ImportedMetadata) => void }) => {
  const id = useId()
  const read = useAction(sso.metadata, [])
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const run = async () => {
    const input = text.trim()
    setError('')
    try {
      onRead(await read.run({ body: isUrl(input) ? { url: input } : { xml: input } }))
      toast({ title: 'Métadonnées lues', description: 'Vérifiez les champs, puis enregistrez.', variant: 'success' })
    } catch (refusal) {
      setError(getErrorSentence(refusal))
    }
  }
  return (
    <div className="grid gap-3 rounded-card bg-page p-4">
      <FieldFrame
        id={id}
        label="Métadonnées du fournisseur"
        hint="Leur adresse, ou le document XML collé\u00a0: les champs ci-dessous se remplissent."
        error={error}
        optional
      >
        <Textarea
          id={id}
          rows={2}
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder="https://fournisseur.exemple.fr/metadata"
          className="max-h-40 overflow-auto font-mono text-[0.8125rem]"
          spellCheck={false}
          aria-invalid={error !== ''}
        />
      </FieldFrame>
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start"
        disabled={text.trim() === ''}
        loading={read.isPending}
        onClick={() => void run()}
      >
        Lire les métadonnées
      </Button>
    </div>
  )
})
