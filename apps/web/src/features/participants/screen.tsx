import { participants } from '@voisol/contract/participants'
import { useState } from 'react'
import { Can, useCan } from '../../lib/can.tsx'
import { useList } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { AddPanel } from './add/add-dialog.tsx'
import type { Kind } from './bulk/actions.ts'
import { ManyButtons } from './bulk/many-buttons.tsx'
import { ManyDialog } from './bulk/many-dialog.tsx'
import { type Choice, wordsOf } from './bulk/selection.ts'
import { useChoice } from './bulk/use-choice.ts'
import { participantColumns } from './columns.tsx'
import { ParticipantExport } from './export.tsx'
import { ParticipantFilters } from './filters.tsx'
import { Sheet } from './sheet/sheet.tsx'
import { useSegments } from './use-segments.ts'

const WHO = 'Un participant est une personne ou une organisation qui consomme ou produit dans une opération.'
const HOW = 'Ajoutez-les un par un avec leur point de livraison, ou importez un fichier.'

const Nobody = ({ onAdd }: { onAdd: () => void }) => (
  <Can
    call={participants.create}
    otherwise={<EmptyState title="Aucun participant" why={WHO} because="comes-by-itself" />}
  >
    <EmptyState
      title="Aucun participant"
      why={`${WHO} ${HOW}`}
      action={<Button onClick={onAdd}>Ajouter un participant</Button>}
    />
  </Can>
)

/** The people of the company, or of one operation. */
export function ParticipantScreen({ operationId }: { operationId?: string }) {
  const can = useCan()
  const list = useList(participants.list, operationId ? { operationId } : {})
  const segments = useSegments(operationId)
  const { ids, setIds, isAll, choice, chooseAll } = useChoice(list, operationId)
  const [work, setWork] = useState<{ kind: Kind; choice: Choice }>()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <ListScreen
        list={list}
        label="Participants"
        search="Rechercher un nom, un PRM, un e-mail"
        columns={participantColumns(segments, operationId)}
        filters={<ParticipantFilters filters={list.filters} setFilters={list.setFilters} />}
        exports={<ParticipantExport filters={list.filters} operationId={operationId} />}
        selection={
          can(participants.bulk)
            ? {
                ids,
                onChange: setIds,
                label: ({ name }) => name,
                words: isAll ? wordsOf(choice) : undefined,
                actions: (
                  <ManyButtons
                    total={list.total}
                    count={ids.size}
                    isAll={isAll}
                    onAll={chooseAll}
                    onChoose={(kind) => setWork({ kind, choice })}
                  />
                ),
              }
            : undefined
        }
        empty={<Nobody onAdd={() => setAdding(true)} />}
      />
      {work && (
        <ManyDialog
          {...work}
          operationId={operationId}
          sampleId={[...ids][0] ?? ''}
          onClose={() => setWork(undefined)}
          onDone={() => setIds(new Set())}
        />
      )}
      {/* Not inside the empty state, which goes with the first participant. */}
      <AddPanel operationId={operationId} open={adding} onOpenChange={setAdding} />
      <Sheet />
    </>
  )
}
