import { explain } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'

export const failed = (error: unknown) =>
  void toast({ title: 'Non effectué', description: explain(error), variant: 'destructive' })
export const begun = (title: string) => () => void toast({ title, variant: 'success' })
