import { type PortalPerson, portalManagement } from '@voisol/contract/portal-management'
import FileDown from 'lucide-react/icons/file-down'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { queryClient, useList } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { describeLetter } from './labels.ts'
import { NAME_COLUMN, OPERATIONS_COLUMN, PortalOperationFilter } from './person-table.tsx'

type LetterSelection = { participantIds?: string[]; operationId?: string }

async function downloadLetters(body: LetterSelection) {
  await download(portalManagement.letters, { body })
  await queryClient.invalidateQueries({ queryKey: [portalManagement.people.path] })
}

const LetterButton = withAccess(portalManagement.letters, ({ row }: { row: PortalPerson }) => {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await downloadLetters({ participantIds: [row.id] }).catch((error: unknown) =>
      toast({ title: 'Lettre non faite', description: explainError(error), variant: 'destructive' }),
    )
    setBusy(false)
  }
  return (
    <Button variant="quiet" size="small" loading={busy} onClick={run} aria-label={`Lettre pour ${row.name}`}>
      {row.letter ? 'Refaire la lettre' : 'Faire la lettre'}
    </Button>
  )
})

const AllLettersButton = withAccess(
  portalManagement.letters,
  ({ operationId }: { operationId: string | undefined }) => (
    <Confirm
      trigger={<Button icon={<FileDown aria-hidden="true" />}>Faire toutes les lettres</Button>}
      title="Faire une lettre pour chacun&#160;?"
      description="Un PDF d’une page par personne sans adresse e-mail, avec son code et son QR code. Les codes des lettres faites avant ne serviront plus."
      action="Télécharger les lettres"
      tone="primary"
      onConfirm={() => downloadLetters(operationId ? { operationId } : {})}
    />
  ),
)

const LETTER_COLUMN: Column<PortalPerson> = {
  header: 'Lettre',
  card: 'primary',
  cell: ({ letter }) => describeLetter(letter),
}

/** Those who can be reached by post alone. */
export default function InvitationLetters() {
  const list = useList(portalManagement.people, { post: 'true', state: 'none' })
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <p className="prose-width text-ink-soft">
        Sans adresse e-mail, une lettre ouvre le portail. Son code ne sert qu’une fois, pendant soixante jours. La
        personne donne alors une adresse, que le message d’invitation vérifie.
      </p>
      <ListScreen
        list={list}
        label="Lettres"
        search="Rechercher un nom"
        columns={[NAME_COLUMN, OPERATIONS_COLUMN, LETTER_COLUMN]}
        filters={
          <PortalOperationFilter
            value={list.filters.operationId}
            onChange={(operationId) => list.setFilters({ operationId })}
          />
        }
        actions={list.total > 0 && <AllLettersButton operationId={list.filters.operationId} />}
        rowActions={(row) => <LetterButton row={row} />}
        empty={
          <EmptyState
            title="Aucune lettre à écrire"
            why="Chaque participant a une adresse e-mail ou un compte&#160;: il s’invite par e-mail."
            because="all-well"
          />
        }
      />
    </div>
  )
}
