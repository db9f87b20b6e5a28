import { documents } from '@voisol/contract/documents'
import { useId, useState } from 'react'
import { explain } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { Card } from '../../../ui/card.tsx'
import { FieldFrame } from '../../../ui/field.tsx'
import { FileDrop } from '../../../ui/file-drop.tsx'
import { Input } from '../../../ui/input.tsx'

const MOST = 20_000_000

export function AddDocument({ ownerId }: { ownerId: string }) {
  const id = useId()
  const [label, setLabel] = useState('')
  const [problem, setProblem] = useState('')
  const add = useAction(documents.add, [documents.list])
  const send = async (file: File) => {
    setProblem(file.size > MOST ? 'Ce fichier dépasse 20\u00a0Mo.' : '')
    if (file.size > MOST) return
    try {
      await add.run({ query: { ownerKind: 'operation', ownerId, name: file.name, label }, upload: file })
      setLabel('')
      toast({ title: 'Document déposé', variant: 'success' })
    } catch (error) {
      setProblem(explain(error))
    }
  }
  return (
    <Card title="Déposer un document" description="PDF, image, tableur… jusqu’à 20&nbsp;Mo.">
      <div className="grid gap-4">
        <FieldFrame id={id} label="Intitulé" hint="Sans intitulé, le nom du fichier est affiché." optional>
          <Input
            id={id}
            aria-describedby={`${id}-hint`}
            value={label}
            maxLength={200}
            onChange={(event) => setLabel(event.target.value)}
            className="max-w-md"
          />
        </FieldFrame>
        <FileDrop label="Choisir un fichier" disabled={add.isPending} onFile={send} />
        {add.isPending && (
          <p role="status" className="text-body text-ink-soft">
            Envoi en cours…
          </p>
        )}
        {problem && (
          <p role="alert" className="text-body text-danger">
            {problem}
          </p>
        )}
      </div>
    </Card>
  )
}
