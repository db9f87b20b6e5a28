import { explainError } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'

export const showFailure = (error: unknown) =>
  void toast({ title: 'Non effectué', description: explainError(error), variant: 'destructive' })
export const notifyStarted = (title: string) => () => void toast({ title, variant: 'success' })
