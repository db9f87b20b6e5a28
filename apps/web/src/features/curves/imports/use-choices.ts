import { type CurveImport, curves } from '@voisol/contract/curves'
import { explainError } from '../../../lib/explain.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import type { CurveImportChoices } from '../labels.ts'

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
