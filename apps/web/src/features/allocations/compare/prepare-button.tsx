import { type Key, keys } from '@voisol/contract/keys'
import { only } from '../../../lib/can.tsx'
import { explain } from '../../../lib/explain.ts'
import { toast } from '../../../lib/toast.ts'
import { Button } from '../../../ui/button.tsx'
import type { Tried } from './model.ts'
import { usePrepare } from './prepare.ts'

type Props = { operationId: string; versions: Key[]; chosen: Tried }

/** Turns the method that is shown into a draft of the key. */
export const PrepareButton = only(keys.create, ({ operationId, versions, chosen }: Props) => {
  const { prepare, isPending } = usePrepare(operationId, versions)
  const start = () =>
    prepare(chosen).catch((error: unknown) =>
      toast({ title: 'Version non préparée', description: explain(error), variant: 'destructive' }),
    )
  return (
    <Button loading={isPending} onClick={() => void start()}>
      Préparer une version avec cette méthode
    </Button>
  )
})
