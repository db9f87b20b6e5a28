import { explain } from './explain.ts'
import { toast } from './toast.ts'

let told = false

/** The server speaks again: true where it had been told that it did not. */
export function isBack(): boolean {
  const wasTold = told
  told = false
  return wasTold
}

/** A server that answered that it failed has its own sentence; silence is not that of one figure, but of all. */
const wordsOf = (error: unknown) =>
  error instanceof Error && 'detail' in error
    ? {
        title: 'Ces données n’ont pas pu être rafraîchies',
        description: `${explain(error)} Celles d’avant restent affichées.`,
      }
    : {
        title: 'Le serveur ne répond plus',
        description: 'Ce qui est affiché n’est plus à jour. Vérifiez votre réseau\u00a0; la suite viendra d’elle-même.',
      }

/** Said once, however many figures a screen asks for, and however often. */
export function tellOutage(error: unknown) {
  if (told) return
  told = true
  toast({ ...wordsOf(error), variant: 'destructive', duration: 10_000 })
}
