import type { ProjectDetail } from '@voisol/contract/projects'
import { CONSUMPTION_PROFILE_LABELS } from '@voisol/energy/model/profiles'
import { useId, useMemo, useState } from 'react'
import { explainError } from '../../lib/explain.ts'
import { formatCount, formatKwh } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Table } from '../../ui/table.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { type PastedLine, parsePastedCandidates } from './paste.ts'
import { useSaveProject } from './use-project.ts'

const LINE_FORMAT = 'Nom ; Profil ; kWh par an ; PRM ; E-mail ; Latitude ; Longitude'

type Props = { project: ProjectDetail; onClose: () => void }

const formatRefusedCount = (count: number) =>
  count > 0 ? `${formatCount(count, 'ligne refusée, laissée', 'lignes refusées, laissées')} de côté.` : ''

const PastedLinesTable = ({ lines }: { lines: PastedLine[] }) => (
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
            {candidate
              ? `${CONSUMPTION_PROFILE_LABELS[candidate.profile]}, ${formatKwh(candidate.yearlyKwh, 0)}`
              : message}
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
  const { save, saving } = useSaveProject(project)
  const lines = useMemo(() => parsePastedCandidates(text, project.candidates), [text, project.candidates])
  const added = lines.flatMap(({ candidate }) => (candidate ? [candidate] : []))
  const add = () =>
    save({ candidates: [...project.candidates, ...added] }).then(
      () => {
        toast({ title: formatCount(added.length, 'candidat ajouté', 'candidats ajoutés'), variant: 'success' })
        onClose()
      },
      (error: unknown) => setProblem(explainError(error)),
    )
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <FieldFrame id={id} label="Liste" hint={LINE_FORMAT} error={problem}>
        <Textarea
          id={id}
          rows={6}
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="max-h-60 font-mono text-[0.8125rem]"
        />
      </FieldFrame>
      {lines.length > 0 && <PastedLinesTable lines={lines} />}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <p role="status" className="text-body text-ink-soft">
          {formatRefusedCount(lines.length - added.length)}
        </p>
        <Button disabled={added.length === 0} loading={saving} onClick={add}>
          Ajouter {formatCount(added.length, 'candidat')}
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
