/** The file cannot be merged; its original is kept, and a page in the bundle stands for it (I6, I7). */
export class PdfFault extends Error {
  readonly condition: 'encrypted' | 'damaged' | 'hostile';
  constructor(condition: PdfFault['condition'], remark: string) {
    super(remark);
    this.condition = condition;
  }
}
