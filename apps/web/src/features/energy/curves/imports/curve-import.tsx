import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CurveImport, curves } from '@voisol/contract/curves'
import { useEffect } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Confirm } from '../../../../components/dialog.tsx'
import { explainError } from '../../../../lib/error-text.ts'
import { query, useAction } from '../../../../lib/queries.ts'
import { toast } from '../../../../lib/toast.ts'
import type { CurveImportChoices } from '../labels.ts'
import { refreshReadings } from '../queries.ts'

type Props = { id: string; name: string; small?: boolean; onDone?: () => void }

export function AbandonButton({ id, name, small = false, onDone }: Props) {
  const abandon = useAction(curves.abandon, [curves.imports, curves.getImport])
  return (
    <Confirm
      title="Abandonner cet import&nbsp;?"
      description={`«\u00a0${name}\u00a0» ne sera pas enregistré. Vous pourrez le déposer à nouveau.`}
      action="Abandonner l’import"
      onConfirm={async () => {
        await abandon.run({ params: { id } })
        onDone?.()
      }}
      trigger={
        <Button variant="quiet" size={small ? 'small' : 'medium'}>
          Abandonner
        </Button>
      }
    />
  )
}

const POLL_MS = 800
const isImportRunning = (status: CurveImport['status'] | undefined) => status === 'reading' || status === 'storing'

/** An import followed until it rests. */
export function useCurveImport(id: string) {
  const client = useQueryClient()
  const result = useQuery({
    ...query(curves.getImport, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (isImportRunning(state.data?.status) ? POLL_MS : false),
  })
  const status = result.data?.status
  useEffect(() => {
    if (status === undefined) return
    client.invalidateQueries({ queryKey: [curves.imports.path] })
    if (status === 'done') refreshReadings(client)
  }, [client, status])
  return result
}

/** What the person says of a file, on top of what they said before: it is then read anew. */
export function useImportChoices(item: CurveImport) {
  const choose = useAction(curves.choose, [curves.getImport, curves.imports])
  const correct = (change: CurveImportChoices) => {
    choose
      .run({ params: { id: item.id }, body: { ...item.choices, ...change } })
      .catch((error: unknown) =>
        toast({ title: 'Choix impossible', description: explainError(error), variant: 'destructive' }),
      )
  }
  return { correct, isPending: choose.isPending }
}
