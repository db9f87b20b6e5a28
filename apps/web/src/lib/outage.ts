import { explain } from './explain.ts'
import { toast } from './toast.ts'

let told = false

/** The server speaks again: the next silence is told of anew. */
export function answered<T>(reply: T): T {
  told = false
  return reply
}

/** What is shown could not be read again. Said once, however many figures a screen asks for, and however often. */
export function unanswered(error: unknown) {
  if (told) return
  told = true
  const description = `${explain(error)} Celles d’avant restent affichées.`
  toast({ title: 'Ces données n’ont pas pu être rafraîchies', description, variant: 'destructive', duration: 10_000 })
}
