import { type Key, keys } from '@voisol/contract/keys'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/explain.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import type { ComparedMethod } from './model.ts'
import { usePrepareVersion } from './prepare.ts'

type Props = { operationId: string; versions: Key[]; chosen: ComparedMethod }

/** Turns the method that is shown into a draft of the key. */
export const PrepareVersionButton = withAccess(keys.create, ({ operationId, versions, chosen }: Props) => {
  const { prepare, isPending } = usePrepareVersion(operationId, versions)
  const start = () =>
    prepare(chosen).catch((error: unknown) =>
      toast({ title: 'Version non préparée', description: explainError(error), variant: 'destructive' }),
    )
  return (
    <Button loading={isPending} onClick={() => void start()}>
      Préparer une version avec cette méthode
    </Button>
  )
})
