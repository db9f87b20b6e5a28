import { randomInt } from 'node:crypto'

/** Without those that are taken for one another when read aloud or copied: 0 O, 1 I L, 8 B, 5 S. */
const REFERENCE_ALPHABET = '234679ACDEFGHJKMNPQRTUVWXYZ'

/** `D-7K3QX9` */
export const generateBookingReference = () =>
  `D-${Array.from({ length: 6 }, () => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)]).join('')}`
