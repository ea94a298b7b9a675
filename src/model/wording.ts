/** Our own English text, slots still in it, in the language of the reader. What it does not know comes back as it is. */
export type Translate = (english: string) => string;
