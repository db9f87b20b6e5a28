import { createContext } from 'react'

/** Whether an address leads to a screen that the reader may open; the shell, which knows the table, says so. */
export const Doors = createContext<(to: string) => boolean>(() => true)
