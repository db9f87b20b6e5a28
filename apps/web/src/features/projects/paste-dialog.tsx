import type { ProjectDetail } from '@voisol/contract/projects'
import { PROFILE_LABELS } from '@voisol/energy/model/profiles'
import { useId, useMemo, useState } from 'react'
import { explain } from '../../lib/explain.ts'
import { kwh, plural } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Table } from '../../ui/table.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { type PastedLine, readPasted } from './paste.ts'
import { useSave } from './use-project.ts'

const MODEL = 'Nom ; Profil ; kWh par an ; PRM ; E-mail ; Latitude ; Longitude'

type Props = { project: ProjectDetail; onClose: () => void }

const refusedWords = (count: number) =>
  count > 0 ? `${plural(count, 'ligne refusée, laissée', 'lignes refusées, laissées')} de côté.` : ''

const Preview = ({ lines }: { lines: PastedLine[] }) => (
  <Table
    label="Lignes lues"
    rows={lines.map((line) => ({ ...line, id: String(line.line) }))}
    columns={[
      { header: 'Ligne', align: 'end', cell: ({ line }) => line },
      {
        header: 'Résultat',
        cell: ({ candidate }) =>
          candidate ? <Badge tone="success">À ajouter</Badge> : <Badge tone="danger">Refusée</Badge>,
      },
      { header: 'Candidat', cell: ({ candidate, text }) => candidate?.name ?? text.split(/[;\t]/)[0] },
      {
        header: 'Lu comme',
        cell: ({ candidate, message }) => (
          <span className="block min-w-44">
            {candidate ? `${PROFILE_LABELS[candidate.profile]}, ${kwh(candidate.yearlyKwh, 0)}` : message}
          </span>
        ),
      },
    ]}
  />
)

function PasteForm({ project, onClose }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const { save, saving } = useSave(project)
  const lines = useMemo(() => readPasted(text, project.candidates), [text, project.candidates])
  const added = lines.flatMap(({ candidate }) => (candidate ? [candidate] : []))
  const add = () =>
    save({ candidates: [...project.candidates, ...added] }).then(
      () => {
        toast({ title: plural(added.length, 'candidat ajouté', 'candidats ajoutés'), variant: 'success' })
        onClose()
      },
      (error: unknown) => setProblem(explain(error)),
    )
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <FieldFrame id={id} label="Liste" hint={MODEL} error={problem}>
        <Textarea
          id={id}
          rows={6}
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="max-h-60 font-mono text-[0.8125rem]"
        />
      </FieldFrame>
      {lines.length > 0 && <Preview lines={lines} />}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <p role="status" className="text-body text-ink-soft">
          {refusedWords(lines.length - added.length)}
        </p>
        <Button disabled={added.length === 0} loading={saving} onClick={add}>
          Ajouter {plural(added.length, 'candidat')}
        </Button>
      </div>
    </div>
  )
}

/** Many candidates at once, from a spreadsheet; nothing is saved before the preview is accepted. */
export const PasteDialog = (props: Props) => (
  <Dialog
    title="Coller une liste de candidats"
    description="Copiez les colonnes d’un tableur. Rien n’est enregistré avant votre confirmation."
    width="wide"
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <PasteForm {...props} />
  </Dialog>
)
