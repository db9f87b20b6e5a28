import { type ProjectDetail, projects } from '@voisol/contract/projects'
import { CONSUMPTION_PROFILE_LABELS } from '@voisol/energy/model/profiles'
import ClipboardList from 'lucide-react/icons/clipboard-list'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { formatPrm as spaced } from '../../lib/energy-labels.ts'
import { formatCount, formatKwh } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type CandidateLine, withoutLine } from './body.ts'
import { CandidateDialog } from './candidate-dialog.tsx'
import { LineActions } from './line-actions.tsx'
import { PasteDialog } from './paste-dialog.tsx'

type CandidateRow = CandidateLine & { id: string; at: number }

const TO_REQUEST = <span className="text-ink-soft">À demander</span>

const columns: Column<CandidateRow>[] = [
  {
    header: 'Candidat',
    cell: ({ name, email }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{name}</span>
        {email && <span className="block text-[0.8125rem] text-ink-soft">{email}</span>}
      </span>
    ),
  },
  {
    header: 'Consommation par an',
    align: 'end',
    cell: ({ yearlyKwh }) => <span className="whitespace-nowrap">{formatKwh(yearlyKwh, 0)}</span>,
  },
  {
    header: 'Profil',
    cell: ({ profile, pointId }) => (
      <span className="block min-w-36">
        {CONSUMPTION_PROFILE_LABELS[profile]}
        {pointId && <span className="block text-[0.8125rem] text-ink-soft">Remplacé par la courbe reçue</span>}
      </span>
    ),
  },
  {
    header: 'PRM',
    cell: ({ prm }) => (prm ? <span className="tabular whitespace-nowrap">{spaced(prm)}</span> : TO_REQUEST),
  },
  {
    header: 'Position',
    cell: ({ latitude }) => (latitude === null ? <span className="text-ink-soft">À préciser</span> : 'Connue'),
  },
]

const describeCandidates = (candidates: CandidateLine[], yearlyKwh: number) => {
  const ready = candidates.filter(({ prm }) => prm !== '').length
  return `${formatCount(candidates.length, 'candidat')}, ${formatKwh(yearlyKwh, 0)} par an. ${formatCount(ready, 'PRM connu', 'PRM connus')} sur ${candidates.length}.`
}

type OpenDialogState = { at: number | null } | 'paste'

const CandidatesDialog = ({
  project,
  open,
  onClose,
}: {
  project: ProjectDetail
  open: OpenDialogState
  onClose: () => void
}) =>
  open === 'paste' ? (
    <PasteDialog project={project} onClose={onClose} />
  ) : (
    <CandidateDialog project={project} at={open.at} onClose={onClose} />
  )

export default function CandidatesTab({ project }: { project: ProjectDetail }) {
  const [open, setOpen] = useState<OpenDialogState | null>(null)
  const { candidates, yearlyKwh } = project
  const actions = useCan()(projects.update) && (
    <>
      <Button variant="secondary" icon={<ClipboardList aria-hidden="true" />} onClick={() => setOpen('paste')}>
        Coller une liste
      </Button>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen({ at: null })}>
        Ajouter un candidat
      </Button>
    </>
  )
  return (
    <>
      {candidates.length === 0 ? (
        <EmptyState
          title="Aucun candidat"
          why="Ceux qui pourraient rejoindre l’opération&nbsp;: un profil et une consommation annuelle suffisent pour l’étude."
          action={actions && <div className="flex flex-wrap justify-center gap-2">{actions}</div>}
        />
      ) : (
        <Card title="Candidats" description={describeCandidates(candidates, yearlyKwh)} actions={actions}>
          <Table
            label="Candidats"
            rows={candidates.map((candidate, at) => ({ ...candidate, id: String(at), at }))}
            columns={columns}
            rowActions={({ at, name }) => (
              <LineActions
                name={name}
                what="ce candidat"
                project={project}
                without={{ candidates: withoutLine(candidates, at) }}
                onEdit={() => setOpen({ at })}
              />
            )}
          />
        </Card>
      )}
      {open && <CandidatesDialog project={project} open={open} onClose={() => setOpen(null)} />}
    </>
  )
}
