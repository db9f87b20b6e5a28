import { type DataExport, dataExports } from '@voisol/contract/exports'
import Download from 'lucide-react/icons/download'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { Progress } from '../../../components/progress.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDate, formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import {
  EXPORT_STATE_LABELS,
  formatExportPeriod,
  formatFileSize,
  formatRowCount,
  getExportShapeLabel,
  isExportInProgress,
} from './labels.ts'

const softTextClass = 'block text-[0.8125rem] text-ink-soft'

/** Not quite whole before it is: about how many there are was only thought. */
const computeProgress = ({ rows, expected }: DataExport) => Math.min(0.99, expected ? rows / expected : 0)

const StateCell = (one: DataExport) => (
  <span className="block min-w-44 max-w-80">
    {one.state === 'running' ? (
      <Progress label={one.rows ? formatRowCount(one.rows) : 'Lecture'} done={computeProgress(one)} />
    ) : (
      <Badge tone={EXPORT_STATE_LABELS[one.state].tone}>{EXPORT_STATE_LABELS[one.state].label}</Badge>
    )}
    {one.failure && <span className="mt-1 block text-[0.8125rem] text-danger">{one.failure}</span>}
    {one.state === 'done' && one.expiresAt && (
      <span className={`mt-1 ${softTextClass}`}>{`jusqu’au ${formatDate(one.expiresAt)}`}</span>
    )}
  </span>
)

export const exportColumns: Column<DataExport>[] = [
  {
    header: 'Export',
    card: 'title',
    cell: ({ label, createdAt, format, dialect }) => (
      <span className="block min-w-48">
        <span className="font-medium">{label}</span>
        <span
          className={softTextClass}
        >{`${getExportShapeLabel({ format, dialect })}, ${formatDateTime(createdAt)}`}</span>
      </span>
    ),
  },
  {
    header: 'Contenu',
    card: 'primary',
    cell: (one) => (
      <span className="block min-w-44">
        {formatExportPeriod(one)}
        <span className={softTextClass}>{[one.operation?.name, one.participant?.name].filter(Boolean).join(', ')}</span>
      </span>
    ),
  },
  { header: 'État', card: 'primary', cell: StateCell },
  {
    header: 'Taille',
    card: 'primary',
    cell: ({ state, rows, bytes }) =>
      state === 'done' ? (
        <span className="block min-w-24">
          {formatRowCount(rows)}
          <span className={softTextClass}>{formatFileSize(bytes)}</span>
        </span>
      ) : (
        '—'
      ),
  },
]

const createFailureHandler = (title: string) => (error: unknown) =>
  void toast({ title, description: explainError(error), variant: 'destructive' })

/** The browser takes a file of any size by its link; a call would hold it in memory. */
function openDownloadLink(url: string) {
  const link = Object.assign(document.createElement('a'), { href: url, download: '' })
  link.click()
}

type ExportProps = { one: DataExport }
function ExportDownloadButton({ one }: ExportProps) {
  const link = useAction(dataExports.link, [])
  return (
    <Button
      variant="secondary"
      size="small"
      icon={<Download aria-hidden="true" />}
      aria-label={`Télécharger ${one.name}`}
      loading={link.isPending}
      onClick={() =>
        void link
          .run({ params: { id: one.id } })
          .then(({ url }) => openDownloadLink(url), createFailureHandler('Téléchargement impossible'))
      }
    >
      Télécharger
    </Button>
  )
}

function ExportMenuItems({ one, onRemove }: ExportProps & { onRemove: () => void }) {
  const [again, cancel] = [
    useAction(dataExports.again, [dataExports.list]),
    useAction(dataExports.cancel, [dataExports.list]),
  ]
  const link = useAction(dataExports.link, [])
  const params = { params: { id: one.id } }
  const copyLink = async () => {
    const { url, expiresAt } = await link.run(params)
    await navigator.clipboard.writeText(url)
    toast({
      title: 'Lien copié',
      description: `Il ouvre le fichier jusqu’au ${formatDateTime(expiresAt)}, sans connexion.`,
      variant: 'success',
    })
  }
  if (isExportInProgress(one))
    return (
      <MenuItem onSelect={() => void cancel.run(params).catch(createFailureHandler('Non annulé'))}>Annuler</MenuItem>
    )
  return (
    <>
      {one.state === 'done' && (
        <MenuItem onSelect={() => void copyLink().catch(createFailureHandler('Lien non copié'))}>
          Copier un lien
        </MenuItem>
      )}
      <MenuItem onSelect={() => void again.run(params).catch(createFailureHandler('Export refusé'))}>Refaire</MenuItem>
      <MenuSeparator />
      <MenuItem tone="danger" onSelect={onRemove}>
        Supprimer
      </MenuItem>
    </>
  )
}

function ExportButtons({ one }: ExportProps) {
  const [removing, setRemoving] = useState(false)
  const remove = useAction(dataExports.remove, [dataExports.list])
  return (
    <>
      {one.state === 'done' && <ExportDownloadButton one={one} />}
      <Menu
        trigger={
          <Button
            variant="quiet"
            size="small"
            aria-label={`Actions pour ${one.name}`}
            icon={<Ellipsis aria-hidden="true" />}
          >
            Actions
          </Button>
        }
      >
        <ExportMenuItems one={one} onRemove={() => setRemoving(true)} />
      </Menu>
      {removing && (
        <Confirm
          open
          onOpenChange={setRemoving}
          title={`Supprimer ${one.name}\u00a0?`}
          description="Le fichier est effacé du serveur, et ses liens ne mènent plus à rien. Vos données, elles, restent."
          action="Supprimer l’export"
          onConfirm={() => remove.run({ params: { id: one.id } })}
        />
      )}
    </>
  )
}

export function ExportActions({ one }: ExportProps) {
  return useCan()(dataExports.create) ? <ExportButtons one={one} /> : null
}
