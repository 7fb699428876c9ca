# SPDX-License-Identifier: BSD-3-Clause
# The point-to-point layers of Open MPI. After cases.bash.

# They go over the loopback interface, and say nothing of devices that are not there.
export UCX_TLS=tcp,self,sm UCX_NET_DEVICES=lo UCX_LOG_LEVEL=fatal FI_TCP_IFACE=lo

# layer_of NAME: the options of mpirun for ob1, ucx, or ofi (cm over libfabric) in $layer; fails where there is none.
layer_of() {
    case $1 in
        ob1) layer=() ;;
        ucx)
            layer=(--mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any)
            ompi_info --parsable | grep -q "^mca:pml:ucx:version"
            ;;
        ofi)
            case $OPEN_MPI_MAJOR in
                4) layer=(--mca pml cm --mca mtl ofi --mca mtl_ofi_provider_include tcp) ;;
                *) layer=(--mca pml cm --mca mtl ofi --mca opal_common_ofi_provider_include 'tcp;ofi_rxm') ;;
            esac
            ompi_info --parsable | grep -q "^mca:mtl:ofi:version"
            ;;
    esac
}
