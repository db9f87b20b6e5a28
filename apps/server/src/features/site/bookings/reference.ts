import { randomInt } from 'node:crypto'

/** Without those that are taken for one another when read aloud or copied: 0 O, 1 I L, 8 B, 5 S. */
const LETTERS = '234679ACDEFGHJKMNPQRTUVWXYZ'

/** `D-7K3QX9` */
export const newReference = () => `D-${Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('')}`
