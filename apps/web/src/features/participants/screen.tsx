import { participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { Can, useCan } from '../../lib/can.tsx'
import { useList } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { AddParticipantDialog } from './add/add-dialog.tsx'
import type { BulkActionKind } from './bulk/actions.ts'
import { BulkActionButtons } from './bulk/many-buttons.tsx'
import { BulkActionDialog } from './bulk/many-dialog.tsx'
import { describeSelection, type ParticipantSelection } from './bulk/selection.ts'
import { useParticipantSelection } from './bulk/use-choice.ts'
import { buildParticipantColumns } from './columns.tsx'
import { ParticipantExport } from './export.tsx'
import { ParticipantFilters } from './filters.tsx'
import { ParticipantDrawer } from './sheet/sheet.tsx'
import { useSegments } from './use-segments.ts'

const PARTICIPANT_TEXT =
  'Un participant est une personne ou une organisation qui consomme ou produit dans une opération.'
const ADD_TEXT = 'Ajoutez-les un par un avec leur point de livraison, ou importez un fichier.'

const NoParticipants = ({ onAdd }: { onAdd: () => void }) => (
  <Can
    call={participants.create}
    otherwise={<EmptyState title="Aucun participant" why={PARTICIPANT_TEXT} because="comes-by-itself" />}
  >
    <EmptyState
      title="Aucun participant"
      why={`${PARTICIPANT_TEXT} ${ADD_TEXT}`}
      action={<Button onClick={onAdd}>Ajouter un participant</Button>}
    />
  </Can>
)

/** The people of the company, or of one operation. */
export function ParticipantScreen({ operationId }: { operationId?: string }) {
  const can = useCan()
  const list = useList(participants.list, operationId ? { operationId } : {})
  const segments = useSegments(operationId)
  const { ids, setIds, isAll, choice, chooseAll } = useParticipantSelection(list, operationId)
  const [bulkAction, setBulkAction] = useState<{ kind: BulkActionKind; choice: ParticipantSelection }>()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <ListScreen
        list={list}
        label="Participants"
        search="Rechercher un nom, un PRM, un e-mail"
        columns={buildParticipantColumns(segments, operationId)}
        filters={<ParticipantFilters filters={list.filters} setFilters={list.setFilters} />}
        exports={<ParticipantExport filters={list.filters} operationId={operationId} />}
        selection={
          can(participants.bulk)
            ? {
                ids,
                onChange: setIds,
                label: ({ name }) => name,
                words: isAll ? describeSelection(choice) : undefined,
                actions: (
                  <BulkActionButtons
                    total={list.total}
                    count={ids.size}
                    isAll={isAll}
                    onAll={chooseAll}
                    onChoose={(kind) => setBulkAction({ kind, choice })}
                  />
                ),
              }
            : undefined
        }
        empty={<NoParticipants onAdd={() => setAdding(true)} />}
      />
      {bulkAction && (
        <BulkActionDialog
          {...bulkAction}
          operationId={operationId}
          sampleId={[...ids][0] ?? ''}
          onClose={() => setBulkAction(undefined)}
          onDone={() => setIds(new Set())}
        />
      )}
      {/* Not inside the empty state, which goes with the first participant. */}
      <AddParticipantDialog operationId={operationId} open={adding} onOpenChange={setAdding} />
      <ParticipantDrawer />
    </>
  )
}
