package payspec;

import com.sun.jna.IntegerType;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.PointerByReference;

/** The functions of payspec.h, as JNA maps them. */
interface CLibrary extends Library {
    /** size_t. */
    final class Size extends IntegerType {
        private static final long serialVersionUID = 1;

        public Size() {
            this(0);
        }

        Size(long value) {
            super(Native.SIZE_T_SIZE, value, true);
        }
    }

    /** payspec_buf. */
    @Structure.FieldOrder({"data", "len", "cap"})
    final class Buf extends Structure {
        public Pointer data;
        public Size len;
        public Size cap;

        byte[] bytes() {
            return data.getByteArray(0, Math.toIntExact(len.longValue()));
        }
    }

    int payspec_engine_new(byte[] policy, Size policyLen, PointerByReference out, Buf error);

    void payspec_engine_free(Pointer engine);

    void payspec_buf_free(Buf buf);

    String payspec_version();

    int payspec_abi_version();

    int payspec_validate_request(Pointer engine, byte[] body, Size bodyLen, byte[] now, Size nowLen, Buf out);

    int payspec_create_payment(Pointer engine, byte[] body, Size bodyLen, byte[] context, Size contextLen, Buf out);

    int payspec_read_payment(Pointer engine, byte[] context, Size contextLen, Buf out);

    int payspec_read_balance(Pointer engine, byte[] context, Size contextLen, Buf out);

    int payspec_check_payment(Pointer engine, byte[] body, Size bodyLen, byte[] request, Size requestLen, Buf out);

    int payspec_field_currencies(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_convert(Pointer engine, byte[] context, Size contextLen, Buf out);

    int payspec_advance_payment(Pointer engine, byte[] context, Size contextLen, Buf out);

    int payspec_check_transition(Pointer engine, byte[] context, Size contextLen, Buf out);

    int payspec_states(Pointer engine, Buf out);

    int payspec_check_idempotency(Pointer engine, byte[] context, Size contextLen, Buf out);

    int payspec_idempotency_key(Pointer engine, byte[] header, Size headerLen, Buf out);

    int payspec_fingerprint_request(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_authorize(Pointer engine, byte[] header, Size headerLen, Buf out);

    int payspec_upgrade_request(Pointer engine, byte[] kind, Size kindLen, byte[] body, Size bodyLen, Buf out);

    int payspec_downgrade_request(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_upgrade_balance(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_downgrade_balance(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_upgrade_payment(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_downgrade_payment(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_redact(Pointer engine, byte[] body, Size bodyLen, Buf out);

    int payspec_redact_text(Pointer engine, byte[] text, Size textLen, Buf out);

    int payspec_sign_webhook(Pointer engine, byte[] body, Size bodyLen, byte[] context, Size contextLen, Buf out);

    int payspec_verify_webhook(Pointer engine, byte[] body, Size bodyLen, byte[] context, Size contextLen, Buf out);

    int payspec_locate(Pointer engine, byte[] body, Size bodyLen, byte[] pointer, Size pointerLen, Buf out);

    int payspec_card_info(Pointer engine, byte[] digits, Size digitsLen, Buf out);

    int payspec_rules(Pointer engine, Buf out);

    int payspec_decisions(Pointer engine, Buf out);

    int payspec_openapi(Pointer engine, Buf out);

    int payspec_batch(Pointer engine, byte[] operation, Size operationLen, byte[] data, long[] offsets, Size count,
            byte[] context, Size contextLen, byte[] returns, Buf out, long[] outOffsets);
}
